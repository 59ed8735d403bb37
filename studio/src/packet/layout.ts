// The elements of the view, without their contents.

import { html } from "../elements.ts";

/** A panel with a heading. */
export function panel(title: string, className: string, ...children: (Node | null)[]): HTMLElement {
  return html("section", { class: `panel ${className}`, "aria-label": title }, html("h2", {}, title), ...children);
}

/** A closed part of a panel. */
export function folded(title: string, content: HTMLElement): HTMLDetailsElement {
  return html("details", { class: "folded" }, html("summary", {}, title), content);
}

/** A list of a few words with its name. */
export function select<W extends string>(id: string, label: string, words: readonly (readonly [W, string])[], chosen: (word: W) => void) {
  const list = html("select", { id }, ...words.map(([word, text]) => html("option", { value: word }, text)));
  list.addEventListener("change", () => chosen(list.value as W));
  const element = html("span", { class: "labelled" }, html("label", { for: id }, label), list);
  return { element, show: (word: W) => void (list.value = word) };
}

/** A box for a whole number with its name. */
export function wholeBox(id: string, label: string, low: number, high: number, chosen: (value: number) => void) {
  const box = html("input", { id, type: "number", min: low, max: high, step: 1 });
  box.addEventListener("change", () => {
    const value = box.valueAsNumber;
    if (Number.isSafeInteger(value) && value >= low && value <= high) chosen(value);
  });
  const element = html("span", { class: "labelled" }, html("label", { for: id }, label), box);
  return { element, show: (value: number) => void (box.value = String(value)) };
}
