// The values of the charts as one table for each link.

import * as format from "../amounts/format.ts";
import { html } from "../elements.ts";
import { figure } from "../explain/explanation.ts";
import { pointOf, type Column } from "./explain.ts";
import { swatch } from "./picker.ts";
import type { Curve, Place } from "./series.ts";

/** Tables of the curves, folded. */
export function tables(curves: readonly Curve[]): HTMLDetailsElement {
  return html(
    "details",
    { class: "panel values" },
    html("summary", {}, "Values of the charts"),
    html("p", { class: "quiet" }, "Quantiles are of the delivered messages, from entry into the queue to the other board."),
    html("div", { class: "tables" }, ...curves.map(tableOf)),
  );
}

function tableOf(curve: Curve): HTMLElement {
  const unit = format.timeUnit(curve.places.flatMap((place) => place.p50_ns ?? []));
  const time = (ns: number | undefined) => (ns === undefined ? "–" : format.number(ns / unit.size));
  const columns: [string, Column, (place: Place) => string][] = [
    ["offered, kbit/s", "offered", (place) => format.number(place.offered_kbps)],
    ["goodput, kbit/s", "goodput", (place) => format.number(place.goodput_kbps)],
    ["queue, messages", "queue", (place) => (place.queue_mean > 0 && place.queue_mean < 0.01 ? "<0.01" : format.number(place.queue_mean, 3))],
    [`p50, ${unit.name}`, "p50", (place) => time(place.p50_ns)],
    [`p99, ${unit.name}`, "p99", (place) => time(place.p99_ns)],
    ["dropped, queue full", "refused", (place) => format.percent(place.refused)],
    ["lost on the link", "lost", (place) => format.percent(Math.max(place.lost - place.refused, 0))],
  ];
  const row = (place: Place, nth: number) =>
    html("tr", { class: place.overloaded ? "overloaded" : null },
      ...columns.map(([, column, text], at) => {
        const shown = figure(`${curve.link} ${nth} ${column}`, () => pointOf(curve.load, nth, column, unit.name), text(place));
        return at ? html("td", {}, shown) : html("th", { scope: "row" }, shown, place.overloaded ? html("small", {}, " overloaded") : null);
      }));
  return html(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": `Values of ${curve.link}` },
    html("table", {},
      html("caption", {}, swatch(curve.nth), " ", html("b", {}, curve.link)),
      html("thead", {}, html("tr", {}, ...columns.map(([head]) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, ...curve.places.map(row))),
  );
}
