// Batteries to choose from.

import { html } from "./elements.ts";

/** Batteries in links/batteries.toml, which a test compares. A capacity is possible too. */
export const BATTERIES = ["CR2032", "CR2450", "CR123A", "AA", "2xAA", "AAA", "18650", "LS14500"];

/** The list for a field. */
export function batteryList(id: string): HTMLDataListElement {
  return html("datalist", { id }, ...BATTERIES.map((one) => html("option", { value: one })));
}
