// Content of the explanation of a number, and the elements that have one.
//
// A number is described once, in the description of its field. A number that the page computes is described beside
// the code that computes it. Information common to all numbers of a panel is in the panel, and each explanation links
// to it.

import { html } from "../elements.ts";

/** A term of the glossary. */
export interface Term {
  readonly term: string;
  readonly meaning: string;
}

export interface Explanation {
  readonly name: string;
  /** Description of the number. */
  readonly what: string;
  /** Unit of the number as shown. */
  readonly unit?: string | undefined;
  /** How it was obtained, one sentence each. */
  readonly how?: readonly string[];
  /** Documents, clauses and formulas on which it depends most. */
  readonly sources?: readonly (string | Node)[];
  /** Key of the field in the answer, as `--json` prints it. */
  readonly field?: string;
  readonly term?: Term;
  /** Id of the part of the page that states how all numbers of this panel were obtained. */
  readonly origin?: string;
}

type Explain = () => Explanation;

/** An explanation is computed when it is opened. A redraw only stores its function. */
const known = new WeakMap<Element, Explain>();

/** Selects the elements that have an explanation. */
export const EXPLAINED = "[data-explain]";

/** Gives an element an explanation. `key` identifies the number across redraws, and is unique in a view. */
export function explain<E extends Element>(element: E, key: string, of: Explain): E {
  element.setAttribute("data-explain", key);
  element.setAttribute("aria-haspopup", "dialog");
  known.set(element, of);
  return element;
}

/** A number with its explanation. A span, because the text of a button is left out of copied text. */
export function explained(key: string, of: Explain, ...content: (Node | string)[]): HTMLElement {
  return explain(html("span", { class: "explained", role: "button", tabindex: -1 }, ...content), key, of);
}

/** The number of a cell of a table; text without a digit, such as a dash, stays as it is. */
export function figure(key: string, of: Explain, text: string): HTMLElement | string {
  return /\d/.test(text) ? explained(key, of, text) : text;
}

export function explanationOf(element: Element): Explanation | undefined {
  return known.get(element)?.();
}

const NUMBER = String.raw`[-−+<≈]?\d[\d\u00a0]*(?:\.\d+)?`;
const UNIT = "(?:%|(?:ns|us|ms|s|min|h|d|days?|hours?|years?|dBm|dB|k?bit/s|Mbit/s|B|k?Hz|MHz|GHz|[num]?A|mAh|[num]?C|ppm|km|m|V|W|mW)(?![\\w/=]))";
/** Numbers with a unit, also several with a common one: `4.202 → 1.886 ms`. Not within names and settings. */
const AMOUNTS = new RegExp(`(?<![\\w.=:/-])${NUMBER}(?:(?: to | and | of |\\s?[–→-]\\s?)${NUMBER})*[ \\u00a0]?${UNIT}`, "g");

/** A part of a text: whether it is an amount. */
export function amountsIn(text: string): { readonly text: string; readonly amount: boolean }[] {
  const parts: { text: string; amount: boolean }[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(AMOUNTS)) {
    if (index > from) parts.push({ text: text.slice(from, index), amount: false });
    parts.push({ text: found, amount: true });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), amount: false });
  return parts;
}

/** A sentence whose amounts have one explanation. */
export function sentence(key: string, of: Explain, text: string): (Node | string)[] {
  return amountsIn(text).map((part, nth) => (part.amount ? explained(`${key} ${nth}`, of, part.text) : part.text));
}

/** The explanation of a chart, whose numbers are one picture for a screen reader. */
export function aboutChart(key: string, of: Explain): HTMLElement {
  return html("p", { class: "about-chart" }, explained(`chart ${key}`, of, "About this chart"));
}
