// The choice of a link and its payload.

import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { optionsByKind } from "../linkoptions.ts";

/** Suggested payloads, bytes: those of the reference campaign. */
const SIZES = [12, 128, 1024];
const LARGEST = 65535;

export interface Chosen {
  link(name: string): void;
  size(bytes: number, done: boolean): void;
}

export interface Chooser {
  readonly element: HTMLElement;
  /** Fills the list, which before contains only the present link. */
  fill(links: readonly answers.LinkName[]): void;
  show(link: string, size: number, about: answers.LinkName | undefined): void;
}

/** A list of links by kind, and a box for the payload. */
export function chooser(chosen: Chosen): Chooser {
  const list = html("select", { id: "link" });
  const box = html("input", { id: "size", type: "number", min: 0, max: LARGEST, step: 1, list: "sizes" });
  const about = html("p", { class: "about" });
  const none = html("p", { class: "quiet" }, "This link has no message, so there is no payload.");
  const payload = html("div", { class: "labelled" },
    html("label", { for: "size" }, "Payload, bytes"), box,
    html("datalist", { id: "sizes" }, ...SIZES.map((size) => html("option", { value: size }))),
  );
  list.addEventListener("change", () => chosen.link(list.value));
  for (const event of ["input", "change"] as const) {
    box.addEventListener(event, () => {
      const bytes = box.valueAsNumber;
      if (Number.isInteger(bytes) && bytes >= 0 && bytes <= LARGEST) chosen.size(bytes, event === "change");
    });
  }
  let present = "";
  const select = () => {
    if (![...list.options].some((one) => one.value === present)) list.prepend(html("option", { value: present }, present));
    list.value = present;
  };
  return {
    element: html("div", { class: "chooser" },
      html("div", { class: "labelled" }, html("label", { for: "link" }, "Link"), list), payload, none, about),
    fill(links) {
      list.replaceChildren(...optionsByKind(links));
      select();
    },
    show(link, size, known) {
      present = link;
      select();
      if (document.activeElement !== box) box.value = String(size);
      const message = known?.medium !== null;
      payload.hidden = !message;
      none.hidden = message;
      about.replaceChildren(...aboutOf(known));
    },
  };
}

function aboutOf(link: answers.LinkName | undefined): (Node | string)[] {
  if (!link) return [];
  const practice = link.good_practice
    ? html("strong", { class: "good" }, "Current good practice.")
    : html("span", { class: "quiet" }, "The profile of one published firmware.");
  return [`${link.about}. `, practice];
}
