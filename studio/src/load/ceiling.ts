// Time of a message of a saturated link by activity, and the terms of its ceiling with their sources.

import * as format from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { explained, figure, sentence } from "../explain/explanation.ts";
import * as explain from "./explain.ts";
import { swatch } from "./picker.ts";

/** The goodput of the nth link, explained. */
export function goodputOf(answer: answers.Goodput, nth: number): HTMLElement {
  const { link, goodput_kbps, ceiling_kbps, ceiling, delivered, lost } = answer;
  const of = ceiling_kbps ? `, ${format.percent(goodput_kbps / ceiling_kbps)} of its ceiling, ${format.number(ceiling_kbps)} kbit/s` : "";
  return html(
    "section",
    { "aria-label": `Goodput of ${link}` },
    html("h3", {}, swatch(nth), link),
    html("p", {}, ...sentence(`goodput ${link}`, () => explain.goodputOf(answer), `Saturated goodput ${format.number(goodput_kbps)} kbit/s${of}. `),
      `Delivered ${format.count(delivered)}, `, html("span", { class: lost ? "lost" : null }, `lost ${format.count(lost)}`), "."),
    html("div", { class: "tables" }, spentTable(answer), termTable(answer)),
    ceiling.without.length ? html("p", { class: "quiet" }, `Effects on goodput that are not modelled: ${ceiling.without.join("; ")}.`) : null,
  );
}

function scrolling(label: string, table: HTMLElement): HTMLElement {
  return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);
}

/** Time of a message by activity, largest first. The answer has the time of all messages together. */
function spentTable(answer: answers.Goodput): HTMLElement {
  const { link, spent, delivered, lost } = answer;
  const messages = Math.max(delivered + lost, 1);
  const whole = spent.reduce((sum, part) => sum + part.ns, 0);
  const rows = spent.map(({ name, class: kind, ns }) => {
    const shown = (column: string, text: string) => figure(`${link} spent ${kind} ${name} ${column}`, () => explain.spentOf(answer, name), text);
    return html("tr", {}, html("th", { scope: "row" }, name), html("td", { class: "words" }, kind),
      html("td", {}, shown("time", format.duration(ns / messages))), html("td", {}, whole ? shown("share", format.percent(ns / whole)) : "–"));
  });
  return scrolling(`Time of a message of ${link}`, html("table", { class: "checks" },
    html("caption", {}, "Time of a message by activity"),
    html("thead", {}, html("tr", {}, ...["activity", "kind", "per message", "share"].map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...rows)));
}

/** Terms of the ceiling, with their sources. */
function termTable(answer: answers.Goodput): HTMLElement {
  const { link, ceiling } = answer;
  const messages = ceiling.messages === 1 ? "one message" : `${format.count(ceiling.messages)} messages`;
  const rows = ceiling.terms.map((term, nth) =>
    html("tr", {}, html("th", { scope: "row" }, term.name),
      html("td", {}, explained(`${link} term ${nth}`, () => explain.termOf(term), `${format.count(term.count)} × ${format.duration(term.each_ns)}`)),
      html("td", { class: "words source" }, term.source)));
  return scrolling(`Ceiling of ${link}`, html("table", { class: "checks" },
    html("caption", {}, ...sentence(`ceiling ${link}`, () => explain.ceilingOf(answer), `Ceiling: ${messages} in at least ${format.duration(ceiling.ns)}`)),
    html("thead", {}, html("tr", {}, ...["term", "time", "source"].map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...rows)));
}
