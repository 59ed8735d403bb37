// Where the time of a message of a saturated link goes, and its ceiling term by term with the sources.

import * as format from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { swatch } from "./picker.ts";

/** The goodput of the nth link, explained. */
export function goodputOf(answer: answers.Goodput, nth: number): HTMLElement {
  const { link, goodput_kbps, ceiling_kbps, ceiling, delivered, lost } = answer;
  const of = ceiling_kbps ? `, ${format.percent(goodput_kbps / ceiling_kbps)} of its ceiling, ${format.number(ceiling_kbps)} kbit/s` : "";
  return html(
    "section",
    { "aria-label": `Goodput of ${link}` },
    html("h3", {}, swatch(nth), link),
    html("p", {}, `Saturated goodput ${format.number(goodput_kbps)} kbit/s${of}. `,
      `Delivered ${format.count(delivered)}, `, html("span", { class: lost ? "lost" : null }, `lost ${format.count(lost)}`), "."),
    html("div", { class: "tables" }, spentTable(answer), termTable(answer)),
    ceiling.without.length ? html("p", { class: "quiet" }, `Not modelled, and of effect on goodput: ${ceiling.without.join("; ")}.`) : null,
  );
}

function scrolling(label: string, table: HTMLElement): HTMLElement {
  return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);
}

/** Time of a message by activity, largest first. The answer has the time of all messages together. */
function spentTable({ link, spent, delivered, lost }: answers.Goodput): HTMLElement {
  const messages = Math.max(delivered + lost, 1);
  const whole = spent.reduce((sum, part) => sum + part.ns, 0);
  const rows = spent.map(({ name, class: kind, ns }) =>
    html("tr", {}, html("th", { scope: "row" }, name), html("td", { class: "words" }, kind),
      html("td", {}, format.duration(ns / messages)), html("td", {}, whole ? format.percent(ns / whole) : "–")));
  return scrolling(`Time of a message of ${link}`, html("table", { class: "checks" },
    html("caption", {}, "Time of a message by activity"),
    html("thead", {}, html("tr", {}, ...["activity", "kind", "per message", "share"].map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...rows)));
}

/** Terms of the ceiling, with their sources. */
function termTable({ link, ceiling }: answers.Goodput): HTMLElement {
  const messages = ceiling.messages === 1 ? "one message" : `${format.count(ceiling.messages)} messages`;
  const rows = ceiling.terms.map(({ name, count, each_ns, source }) =>
    html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, `${format.count(count)} × ${format.duration(each_ns)}`),
      html("td", { class: "words source" }, source)));
  return scrolling(`Ceiling of ${link}`, html("table", { class: "checks" },
    html("caption", {}, `Ceiling: ${messages} in at least ${format.duration(ceiling.ns)}`),
    html("thead", {}, html("tr", {}, ...["term", "time", "source"].map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...rows)));
}
