// The values of the charts as one table for each link.

import * as format from "../amounts/format.ts";
import { html } from "../elements.ts";
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
  const columns: [string, (place: Place) => string][] = [
    ["offered, kbit/s", (place) => format.number(place.offered_kbps)],
    ["goodput, kbit/s", (place) => format.number(place.goodput_kbps)],
    ["queue, messages", (place) => (place.queue_mean > 0 && place.queue_mean < 0.01 ? "<0.01" : format.number(place.queue_mean, 3))],
    [`p50, ${unit.name}`, (place) => time(place.p50_ns)],
    [`p99, ${unit.name}`, (place) => time(place.p99_ns)],
    ["dropped, queue full", (place) => format.percent(place.refused)],
    ["lost on the link", (place) => format.percent(Math.max(place.lost - place.refused, 0))],
  ];
  const row = (place: Place) =>
    html("tr", { class: place.overloaded ? "overloaded" : null },
      ...columns.map(([, text], at) =>
        at ? html("td", {}, text(place)) : html("th", { scope: "row" }, text(place), place.overloaded ? html("small", {}, " overloaded") : null)));
  return html(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": `Values of ${curve.link}` },
    html("table", {},
      html("caption", {}, swatch(curve.nth), " ", html("b", {}, curve.link)),
      html("thead", {}, html("tr", {}, ...columns.map(([head]) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, ...curve.places.map(row))),
  );
}
