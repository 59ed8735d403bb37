// The page: header, the view that the address names, messages.

import "./style.css";
import { Core } from "./core/client.ts";
import * as place from "./core/place.ts";
import { html } from "./elements.ts";
import { explanations } from "./explain/popover.ts";
import { quoted, split } from "./state.ts";
import type { AnyView, Mounted } from "./view.ts";
import { VIEWS } from "./views.ts";

declare const AIRLAG_VERSION: string;

/** Time that a worker has to end a cancelled question by itself, ms. */
const GRACE_MS = 250;
const core = new Core({ grace_ms: GRACE_MS, ...place });
const main = document.querySelector("main") as HTMLElement;
const navigation = document.querySelector("nav") as HTMLElement;
const messages = document.querySelector("#messages") as HTMLElement;

let present: { view: AnyView; mounted: Mounted } | undefined;

/**
 * Whether this page is embedded in another one: `?embed` before `#`. An `embed` after `#`, as in a copied state, is
 * moved before it.
 */
function embedded(): boolean {
  const before = new URLSearchParams(location.search).has("embed");
  if (!before && split(location.hash).texts.has("embed")) history.replaceState(null, "", `?embed${location.hash}`);
  return before || location.search === "?embed";
}

const embed = embedded();

function report(lines: readonly string[]): void {
  messages.replaceChildren(...lines.map((line) => html("p", {}, line)));
}

/** Shows the view that the address names, or the first view if it names none. */
function route(): void {
  const { view: named, texts: all } = split(location.hash);
  const texts = new Map(all);
  texts.delete("embed");
  const first = VIEWS[0];
  const view = VIEWS.find((one) => one.name === named) ?? first;
  if (!view) return;
  for (const link of navigation.querySelectorAll("a")) {
    if (link.dataset["view"] === view.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view.title}: airlag studio`;
  if (present?.view === view) {
    present.mounted.read(texts);
  } else {
    present?.mounted.close();
    main.replaceChildren();
    const root = html("div", { class: `view ${view.name}` });
    main.append(root);
    const mounted = view.mount({ root, core, embed, go, url, report }, texts);
    present = { view, mounted };
  }
  if (named && named !== view.name) {
    report([`address: no view ${quoted(named)}; ${view.title} is shown`, ...lines()]);
  }
}

function lines(): string[] {
  return [...messages.children].map((one) => one.textContent ?? "");
}

function go(hash: string, push: boolean): void {
  const whole = url(hash);
  if (whole === location.href) return;
  history[push ? "pushState" : "replaceState"](null, "", whole);
  routed = location.href;
}

function url(hash: string): string {
  return new URL(hash, location.href.replace(/#.*$/, "")).href;
}

/** Reports an unexpected error on the page. */
function failed(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  report([`studio: ${text}; reload the page, or open it without the part of the address from #`]);
}

let routed = "";

/** Shows the view of a new address once, although browsers report it by one or two events. */
function guarded(): void {
  if (location.href === routed) return;
  routed = location.href;
  try {
    route();
  } catch (error) {
    failed(error);
  }
}

document.documentElement.classList.toggle("embed", embed);
navigation.append(
  ...VIEWS.map(({ name, title }) => html("a", { href: `#/${name}`, "data-view": name }, title)),
);
(document.querySelector("#version") as HTMLElement).textContent = AIRLAG_VERSION;
/** Delay before the page is stored for offline use, ms, so that it answers first. */
const KEPT_AFTER_MS = 3000;
setTimeout(() => navigator.serviceWorker?.register("offline.js").catch(() => undefined), KEPT_AFTER_MS);
addEventListener("error", (event) => failed(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => failed(event.reason));
addEventListener("hashchange", guarded);
addEventListener("popstate", guarded);
core.warm();
explanations(main);
guarded();
