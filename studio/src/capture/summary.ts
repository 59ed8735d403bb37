// Outcomes, quantiles with their intervals, and findings of a capture.

import { count, duration, inUnit, number, percent, timeUnit } from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import { button, html } from "../elements.ts";
import { explained, figure, sentence } from "../explain/explanation.ts";
import * as explain from "./explain.ts";
import type { Places } from "./places.ts";

const QUANTILES = ["p1", "p5", "p25", "p50", "p75", "p95", "p99"] as const;

/** Outcomes of the triggers, in words. Losses are always stated. */
export function outcomes(run: answers.Run): HTMLElement {
  const { triggers, delivered, lost, late, censored, spurious, glitches, delivery, deadline } = run;
  const counted = (field: explain.Count, text: string) => explained(field, () => explain.countOf(run, field), text);
  if (!run.channels) {
    return html("div", {}, html("p", { class: "outcomes" }, counted("triggers", `${count(triggers)} latencies`), " of a table. A table does not contain losses."), missed(run, deadline));
  }
  const more = [
    [late, "late", "completed after the next trigger"],
    [censored, "censored", "cut off by the end of the capture or by a gap"],
    [spurious, "spurious", "completions without a trigger"],
    [glitches, "glitches", "rises of the trigger after too short a low time"],
  ] as const;
  const items = more.filter(([n]) => n > 0).map(([n, name, words]) => html("li", {}, html("b", {}, counted(name, `${count(n)} ${name}`)), `: ${words}`));
  const share = delivery
    ? [" Delivery ratio ", explained("delivery", () => explain.deliveryOf(run),
      `${percent(delivery.ratio)} (95 % confidence interval ${delivery.interval95.map((one) => percent(one)).join(" to ")})`), "."]
    : [];
  return html("div", {},
    html("p", { class: "outcomes" }, `${run.channels[0]} → ${run.channels[1]}: `, counted("triggers", `${count(triggers)} triggers`), ", ",
      counted("delivered", `${count(delivered)} delivered`), ", ",
      html("span", { class: lost ? "lost" : "" }, counted("lost", `${count(lost)} lost`)), ".", ...share),
    items.length ? html("ul", {}, ...items) : null, missed(run, deadline));
}

function missed(run: answers.Run, deadline: answers.Deadline | null | undefined): HTMLElement | null {
  if (!deadline) return null;
  const { deadline_ns, missed: misses, n, interval95, longest_run } = deadline;
  const text = misses
    ? `${count(misses)} of ${count(n)} missed (${percent(misses / n)}, 95 % confidence interval ${interval95.map((one) => percent(one)).join(" to ")}), at most ${count(longest_run)} in a row.`
    : `met by all ${count(n)}.`;
  return html("p", { class: misses ? "lost" : "" }, ...sentence("deadline", () => explain.deadlineOf(run, deadline), `Deadline ${duration(deadline_ns)}: ${text}`));
}

/** Quantiles of the latency with their 95 % confidence intervals. */
export function quantiles(run: answers.Run): HTMLElement {
  const latency = run.latency_ns;
  if (!latency) return html("p", { class: "lost" }, "No transfer completed, so there is no latency.");
  const unit = timeUnit([latency.p50, latency.p99]);
  // Latencies that differ little need more digits to be distinguished.
  const apart = (latency.p99 - latency.p1) / latency.p50 || 1;
  const digits = Math.min(Math.max(Math.ceil(2 - Math.log10(apart)), 4), 8);
  const value = (ns: number | null): string => (ns === null ? "–" : number(ns / unit.size, digits));
  const columns = ["min", ...QUANTILES, "max", "mean"] as const;
  const interval = (name: (typeof columns)[number]): string => {
    if (!(name in latency.interval95)) return "";
    const [low, high] = latency.interval95[name as (typeof QUANTILES)[number]];
    // An interval without an end needs more transfers.
    return `${low === null ? "…" : value(low)} to ${high === null ? "…" : value(high)}`;
  };
  const { jitter, std } = latency;
  const why = (name: explain.Statistic) => () => explain.statisticOf(run, name, unit);
  const spread = [
    ...sentence("std", why("std"), std === null ? "" : `Standard deviation ${inUnit(std, unit)}.`),
    ...sentence("jitter", why("jitter"), jitter ? ` Jitter (difference of consecutive latencies): mean ${inUnit(jitter.mean, unit)}, p99 ${inUnit(jitter.p99, unit)}.` : ""),
  ];
  const head = ["quantile", `latency, ${unit.name}`, `95 % confidence interval, ${unit.name}`];
  return html("div", {}, html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Quantiles of the latency" }, html("table", {},
    html("caption", {}, "Latency of ", explained("n", () => explain.countOf(run, "delivered"), `${count(latency.n)} transfers`)),
    html("thead", {}, html("tr", {}, ...head.map((one) => html("th", { scope: "col" }, one)))),
    html("tbody", {}, ...columns.map((one) =>
      html("tr", {}, html("th", { scope: "row" }, one), html("td", {}, figure(`latency ${one}`, why(one), value(latency[one]))), html("td", { class: "quiet" }, figure(`interval ${one}`, why(one), interval(one)))))),
  )), spread.length ? html("p", { class: "quiet spread-words" }, ...spread) : null);
}

/** Findings with advice, and buttons that step through their places in the chart. */
export function findings(
  run: answers.Run, placed: readonly Places[], focus: (from: number, to: number) => void,
): HTMLElement {
  const all = run.findings;
  if (!all.length) return html("p", {}, "No findings: nothing in this capture needs attention.");
  return html("ol", { class: "findings" }, ...all.map((finding, nth) => {
    const places = placed[nth];
    const marks = places ? [...places.spans_ns, ...places.instants_ns.map((one) => [one, one] as const)].sort(([a], [b]) => a - b) : [];
    const words = (key: string, text: string) => sentence(`finding ${nth} ${key}`, () => explain.findingOf(finding, run), text);
    return html("li", {},
      html("b", {}, finding.name), html("p", {}, ...words("message", finding.message)), html("p", { class: "advice" }, "→ ", ...words("advice", finding.advice)),
      places && marks.length ? html("p", {}, stepper(places, marks, focus)) : html("p", { class: "quiet" }, "About the capture as a whole."));
  }));
}

/** A button that shows one place after the other. */
function stepper(places: Places, marks: readonly (readonly [number, number])[], focus: (from: number, to: number) => void): HTMLElement {
  let next = 0;
  const label = (): string => (marks.length === 1 ? "Show in the chart" : `Show place ${next + 1} of ${count(marks.length)}`);
  const made = button(label(), () => {
    const [from, to] = marks[next] as readonly [number, number];
    next = (next + 1) % marks.length;
    made.textContent = label();
    focus(from, to);
  });
  return html("span", {}, made, html("span", { class: "quiet" }, ` Marked: ${places.words}.`));
}
