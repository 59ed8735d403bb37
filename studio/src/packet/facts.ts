// The numbers of a run: quantiles with intervals, outcomes, slices, floor, findings.

import { count, duration, inUnit, number, percent, type Unit } from "../amounts/format.ts";
import { html } from "../elements.ts";
import type { answers } from "../core/questions.ts";
import { explained, figure, sentence, type Explanation } from "../explain/explanation.ts";
import * as explain from "./explain.ts";
import { documentOf } from "./source.ts";
import type { Shown } from "./timeline.ts";

export type Cell = string | Node | null;

/** A table with heads in its first row and column. */
export function table(
  caption: string, heads: readonly string[], rows: readonly (readonly Cell[])[], attributes = {}, words: readonly (Node | string)[] = [html("span", { class: "name" }, caption)],
): HTMLElement {
  const line = (cells: readonly Cell[]) =>
    html("tr", {}, ...cells.map((cell, at) => (at ? html("td", {}, cell) : html("th", { scope: "row" }, cell))));
  return html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
    html("table", attributes,
      html("caption", {}, ...words),
      html("thead", {}, html("tr", {}, ...heads.map((one) => html("th", { scope: "col" }, one)))),
      html("tbody", {}, ...rows.map(line))));
}

const QUANTILES = [["min", "smallest"], ["p50", "p50 (median)"], ["p95", "p95"], ["p99", "p99"], ["p99.9", "p99.9"], ["max", "largest"]] as const;

/** Quantiles and outcomes of one or two runs. */
export function outcomes(all: readonly Shown[], unit: Unit): HTMLElement {
  const heads = ["", ...all.map(({ which, name }) => (all.length > 1 ? `${which.toUpperCase()} ${name}` : name)), ...(all.length > 1 ? ["A / B"] : [])];
  const rows: Cell[][] = [];
  const add = (
    name: string, of: (run: answers.ExplainedRun) => Cell, why: (one: Shown) => Explanation,
    value?: (run: answers.ExplainedRun) => number | undefined,
  ) => {
    const cells = all.map((one) => {
      const cell = of(one.seen.answer);
      return cell === null ? null : explained(`${one.which} ${name}`, () => why(one), cell);
    });
    if (cells.every((cell) => cell === null)) return;
    const [a, b] = all.map(({ seen }) => value?.(seen.answer));
    const ratio = a !== undefined && b !== undefined && b !== 0 ? figure(`ratio ${name}`, () => explain.ratioOf(name), number(a / b, 3)) : "";
    rows.push([name, ...cells.map((cell) => cell ?? "–"), ...(all.length > 1 ? [ratio] : [])]);
  };
  for (const [key, name] of QUANTILES) {
    add(name, ({ latency_ns }) => quantile(latency_ns, key, unit), (one) => explain.quantileOf(one, key, unit), ({ latency_ns }) => latency_ns?.[key] ?? undefined);
  }
  const counted = (field: Parameters<typeof explain.countOf>[1]) => (one: Shown) => explain.countOf(one, field);
  add("floor", ({ floor }) => inUnit(floor.ns, unit), explain.floorOf, ({ floor }) => floor.ns);
  add("delivered", (run) => `${count(run.delivered)} of ${count(run.triggers)}`, counted("delivered"));
  add("delivery ratio", ({ delivery }) => delivery && withInterval(percent(delivery.ratio), delivery.interval95.map(percent)), explain.deliveryOf);
  add("lost", ({ lost }) => (lost ? html("span", { class: "lost" }, count(lost)) : "0"), counted("lost"));
  add("late", ({ late }) => (late ? count(late) : null), counted("late"));
  add("cut off by the end of the run", ({ censored }) => (censored ? count(censored) : null), counted("censored"));
  add("events", ({ causes }) => eventsOf(causes), explain.eventsOf);
  return table("Latency and delivery. In brackets: 95 % confidence interval.", heads, rows, { class: "outcomes" });
}

function quantile(latency: answers.Latency | null, key: (typeof QUANTILES)[number][0], unit: Unit): Cell {
  const value = latency?.[key];
  if (!latency || value === undefined || value === null) return null;
  if (key === "min" || key === "max") return inUnit(value, unit);
  const interval = latency.interval95[key];
  if (!interval) return inUnit(value, unit);
  const [low, high] = interval;
  const end = (ns: number | null) => (ns === null ? "unbounded" : number(ns / unit.size));
  return withInterval(inUnit(value, unit), [end(low), end(high)]);
}

function withInterval(value: string, ends: readonly string[]): Node {
  return html("span", {}, value, " ", html("small", { class: "quiet" }, `[${ends.join("–")}]`));
}

function eventsOf({ events }: answers.Causes): string | null {
  const words = Object.entries(events).map(([name, times]) => `${name} ${count(Number(times))}`);
  return words.length ? words.join(", ") : null;
}

/** The slices of a run in numbers, as `airlag explain` prints them. */
export function slicesTable(shown: Shown, unit: Unit): HTMLElement | null {
  const { seen, name, which } = shown;
  const { budget } = seen.answer;
  if (!budget) return null;
  const spent = (timeline: answers.Timeline, item: answers.Item) =>
    timeline.parts.filter((part) => part.name === item.name && part.class === item.class).reduce((sum, part) => sum + part.ns, 0);
  const cells = (of: string, kind: string, ...all_ns: [mean: number, median: number, p99: number]) =>
    (["mean", "median", "p99"] as const).map((column, at) =>
      figure(`${which} ${of} ${kind} ${column}`, () => explain.sliceOf(shown, of, column, unit), number((all_ns[at] ?? 0) / unit.size)));
  const rows: Cell[][] = budget.items.map((item) => [
    html("span", {}, html("i", { class: `swatch ${item.class}` }), item.name),
    ...cells(item.name, item.class, item.mean_ns, spent(budget.median, item), spent(budget.p99, item)),
  ]);
  rows.push(["sum", ...cells("sum", "", budget.mean_ns, budget.median.latency_ns, budget.p99.latency_ns)]);
  return table(`${name}: time by activity, ${unit.name}`, ["", "mean", "median packet", "p99 packet"], rows);
}

/** The floor and its terms, each with its source. */
export function floorTable(shown: Shown): HTMLElement {
  const { seen, name, which } = shown;
  const { floor, floor_text } = seen.answer;
  const rows = floor.terms.map((term, nth) => {
    const why = () => explain.termOf(term, "floor.terms[], ns");
    return [
      term.name, explained(`${which} floor each ${nth}`, why, `${count(term.count)} × ${duration(term.each_ns)}`),
      explained(`${which} floor term ${nth}`, why, duration(term.count * term.each_ns)), html("span", { class: "words" }, term.source),
    ];
  });
  const why = () => explain.floorOf(shown);
  const whole = explained(`${which} floor whole`, why, duration(floor.ns));
  return html("div", {},
    floor_text ? html("p", {}, ...sentence(`${which} floor text`, why, floor_text)) : null,
    table(`${name}: lower bound of the latency, ${duration(floor.ns)}`, ["", "repetitions", "time", "source"], rows, {},
      [html("span", { class: "name" }, name), ": lower bound of the latency, ", whole]));
}

/** Published results of a link, with their sources; nothing if there are none. */
export function publishedTable(link: answers.Link | undefined): HTMLElement | null {
  if (!link?.published.length) return null;
  const rows = link.published.map((one, nth) => {
    const { size, median_ms, cite } = one;
    return [
      size === null ? "no message" : explained(`published size ${nth}`, () => explain.publishedOf(one), `${count(size)} B`),
      explained(`published ${nth}`, () => explain.publishedOf(one), duration(median_ms * 1e6)), html("span", { class: "words" }, documentOf(cite), `, ${cite.at}`),
    ];
  });
  return table(`${link.name}: published median latencies`, ["payload", "median", "source"], rows);
}

/** The findings of a run in words. */
export function findings(all: readonly Shown[]): HTMLElement {
  const items = all.flatMap((shown) => shown.seen.answer.findings.map((one, nth) => {
    const { which } = shown;
    const why = () => explain.findingOf(one, explain.simulated(shown), explain.ORIGIN);
    return html("li", {},
      html("code", {}, all.length > 1 ? `${which.toUpperCase()} ${one.name}` : one.name),
      html("p", {}, ...sentence(`${which} finding ${nth} message`, why, one.message)),
      html("p", { class: "quiet" }, ...sentence(`${which} finding ${nth} advice`, why, one.advice)));
  }));
  const fixture = all.flatMap((shown) => {
    const text = shown.seen.answer.budget?.fixture_text;
    if (!text) return [];
    const lead = all.length > 1 ? `${shown.which.toUpperCase()} measurement setup: ` : "Measurement setup: ";
    return [html("p", { class: "quiet" }, lead, ...sentence(`${shown.which} fixture`, () => explain.fixtureOf(shown), text))];
  });
  return html("div", {},
    items.length ? html("ul", { class: "findings" }, ...items) : html("p", { class: "quiet" }, "No finding in this run."),
    ...fixture);
}
