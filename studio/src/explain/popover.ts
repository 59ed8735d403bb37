// The explanation of a number, beside it: one at a time, not modal, by pointer, touch and keys.
//
// Numbers have no listeners of their own, because a moving slider replaces all of them within a frame. The document
// has the listeners.

import "./explain.css";
import { button, html } from "../elements.ts";
import { EXPLAINED, explanationOf, type Explanation } from "./explanation.ts";
import { GAP, placeBeside } from "./beside.ts";
import { neighbourOf, stops } from "./stops.ts";

/** Heights of an explanation, px: it leaves its number in view, and scrolls. */
const LOWEST = 160;
const TALLEST = 520;

/** Explains the numbers within `main`, for the life of the page. */
export function explanations(main: HTMLElement): void {
  const name = html("strong", { id: "explanation-name" });
  const content = html("div");
  const shut = button("×", () => pop.hidePopover(), { class: "shut", "aria-label": "Close" });
  const pop = html("div", {
    class: "explanation", popover: "auto", role: "dialog", tabindex: -1, autofocus: true, "aria-labelledby": "explanation-name",
  }, html("div", { class: "explanation-head" }, name, shut), content);
  document.body.append(pop);
  /** The number that is explained. */
  let number: HTMLElement | undefined;
  /** The number that had the focus last. Undefined once anything else has it. */
  let focused: HTMLElement | undefined;
  /** The number whose explanation the pointer is closing. */
  let closing: string | undefined;

  function open(of: HTMLElement): void {
    if (pop.matches(":popover-open")) pop.hidePopover();
    number = of;
    if (!fill()) return;
    of.setAttribute("aria-expanded", "true");
    pop.showPopover();
    place();
  }

  /** Writes the explanation; returns whether there is one. */
  function fill(): boolean {
    const explanation = number && explanationOf(number);
    if (!number || !explanation) return false;
    const made = partsOf(explanation, number.querySelector(".value")?.textContent ?? number.textContent ?? "", follow);
    const words = made.map((one) => one.textContent).join("");
    if (name.textContent !== explanation.name || content.textContent !== words) {
      name.textContent = explanation.name;
      content.replaceChildren(...made);
    }
    return true;
  }

  function place(scrolled = false): void {
    if (!number?.isConnected || !pop.matches(":popover-open")) return;
    const box = number.getBoundingClientRect();
    // The explanation of a number that has been scrolled out of view is closed.
    if (scrolled && (box.bottom < 0 || box.top > innerHeight)) return pop.hidePopover();
    const room = Math.max(innerHeight - box.bottom, box.top) - 3 * GAP;
    pop.style.maxHeight = `${Math.min(Math.max(room, LOWEST), TALLEST)}px`;
    const { left, top } = placeBeside(box, pop.getBoundingClientRect(), {
      width: document.documentElement.clientWidth, height: innerHeight,
    });
    pop.style.left = `${left}px`;
    pop.style.top = `${top}px`;
  }

  /** Moves to the information common to all numbers of the panel. */
  function follow(origin: HTMLElement): void {
    number = undefined;
    pop.hidePopover();
    if (origin instanceof HTMLDetailsElement) origin.open = true;
    origin.scrollIntoView({ block: "nearest" });
    origin.querySelector("summary")?.focus();
  }

  /** The present element of one that a redraw replaced. */
  function again(one: HTMLElement | undefined): HTMLElement | undefined {
    if (!one || one.isConnected) return one;
    return main.querySelector<HTMLElement>(`[data-explain="${CSS.escape(one.dataset["explain"] ?? "")}"]`) ?? undefined;
  }

  const ofEvent = (event: Event) => (event.target instanceof Element ? event.target.closest<HTMLElement>(EXPLAINED) : null);

  pop.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    const back = again(number);
    back?.removeAttribute("aria-expanded");
    const { activeElement } = document;
    // A click on another control leaves the focus there. A click beside all controls moves the focus to the element
    // that contains the number.
    if (back && (!activeElement || activeElement.contains(back) || pop.contains(activeElement))) back.focus({ preventScroll: true });
    number = undefined;
  });
  pop.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const all = [...pop.querySelectorAll<HTMLElement>("a[href], button")];
    const end = event.shiftKey ? document.activeElement === pop || document.activeElement === all[0] : document.activeElement === all.at(-1);
    if (!end) return;
    // The browser then continues from the number.
    const back = again(number);
    pop.hidePopover();
    back?.focus({ preventScroll: true });
  });
  main.addEventListener("pointerdown", (event) => {
    const of = ofEvent(event);
    closing = of && of === number && pop.matches(":popover-open") ? of.dataset["explain"] : undefined;
  }, { capture: true });
  main.addEventListener("click", (event) => {
    const of = ofEvent(event);
    if (!of) return;
    if (closing !== undefined && closing === of.dataset["explain"]) closing = undefined;
    else open(of);
  });
  main.addEventListener("keydown", (event) => {
    const of = ofEvent(event);
    if (!of?.classList.contains("explained")) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return open(of);
    }
    const next = neighbourOf(of, main, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener("focusin", (event) => {
    focused = ofEvent(event) ?? undefined;
    if (focused?.classList.contains("explained")) stops(main, focused);
  });
  addEventListener("pointerdown", () => (focused = undefined), { capture: true });
  addEventListener("scroll", (event) => event.target !== pop && place(true), { passive: true, capture: true });
  addEventListener("resize", () => place());

  new MutationObserver(() => {
    stops(main);
    if (focused && !focused.isConnected && document.activeElement === document.body) again(focused)?.focus({ preventScroll: true });
    if (!number || !pop.matches(":popover-open")) return;
    const next = again(number);
    if (!next) return pop.hidePopover();
    if (next === number) return;
    number = next;
    next.setAttribute("aria-expanded", "true");
    fill();
    place();
  }).observe(main, { childList: true, subtree: true });
}

function partsOf({ what, unit, how = [], sources = [], field, term, origin }: Explanation, value: string, follow: (origin: HTMLElement) => void): HTMLElement[] {
  const list = html("dl");
  const entry = (head: string, all: readonly (string | Node)[]) =>
    all.length && list.append(html("dt", {}, head), ...all.map((one) => html("dd", {}, one)));
  entry("Shown", /\d/.test(value) ? [value] : []);
  entry("Unit", unit ? [unit] : []);
  entry("How", how);
  entry("Source", sources);
  entry("Field", field ? [html("code", {}, field)] : []);
  entry("Term", term ? [`${term.term}: ${term.meaning}.`] : []);
  const place = origin === undefined ? null : document.getElementById(origin);
  const title = place?.querySelector("summary")?.textContent;
  const more = place && title ? [html("p", {}, button(title, () => follow(place)))] : [];
  return [html("p", {}, what), list, ...more];
}
