// The numbers of a run: quantiles with intervals, outcomes, slices, floor, findings.

import { count, duration, inUnit, number, percent, type Unit } from "../amounts/format.ts";
import { html } from "../elements.ts";
import type { answers } from "../core/questions.ts";
import { documentOf } from "./source.ts";
import type { Shown } from "./timeline.ts";

type Cell = string | Node | null;

/** A table with heads in its first row and column. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly Cell[])[], attributes = {}): HTMLElement {
  const line = (cells: readonly Cell[]) =>
    html("tr", {}, ...cells.map((cell, at) => (at ? html("td", {}, cell) : html("th", { scope: "row" }, cell))));
  return html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
    html("table", attributes,
      html("caption", {}, caption),
      html("thead", {}, html("tr", {}, ...heads.map((one) => html("th", { scope: "col" }, one)))),
      html("tbody", {}, ...rows.map(line))));
}

const QUANTILES = [["min", "smallest"], ["p50", "p50 (median)"], ["p95", "p95"], ["p99", "p99"], ["p99.9", "p99.9"], ["max", "largest"]] as const;

/** Quantiles and outcomes of one or two runs. */
export function outcomes(all: readonly Shown[], unit: Unit): HTMLElement {
  const heads = ["", ...all.map(({ which, name }) => (all.length > 1 ? `${which.toUpperCase()} ${name}` : name)), ...(all.length > 1 ? ["A / B"] : [])];
  const rows: Cell[][] = [];
  const add = (name: string, of: (run: answers.ExplainedRun) => Cell, value?: (run: answers.ExplainedRun) => number | undefined) => {
    const cells = all.map(({ seen }) => of(seen.answer));
    if (cells.every((cell) => cell === null)) return;
    const [a, b] = all.map(({ seen }) => value?.(seen.answer));
    const ratio = a !== undefined && b !== undefined && b !== 0 ? number(a / b, 3) : "";
    rows.push([name, ...cells.map((cell) => cell ?? "–"), ...(all.length > 1 ? [ratio] : [])]);
  };
  for (const [key, name] of QUANTILES) {
    add(name, ({ latency_ns }) => quantile(latency_ns, key, unit), ({ latency_ns }) => latency_ns?.[key] ?? undefined);
  }
  add("floor", ({ floor }) => inUnit(floor.ns, unit), ({ floor }) => floor.ns);
  add("delivered", (run) => `${count(run.delivered)} of ${count(run.triggers)}`);
  add("delivery ratio", ({ delivery }) => delivery && withInterval(percent(delivery.ratio), delivery.interval95.map(percent)));
  add("lost", ({ lost }) => (lost ? html("span", { class: "lost" }, count(lost)) : "0"));
  add("late", ({ late }) => (late ? count(late) : null));
  add("cut off by the end of the run", ({ censored }) => (censored ? count(censored) : null));
  add("events", ({ causes }) => eventsOf(causes));
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
export function slicesTable({ seen, name }: Shown, unit: Unit): HTMLElement | null {
  const { budget } = seen.answer;
  if (!budget) return null;
  const spent = (timeline: answers.Timeline, item: answers.Item) =>
    timeline.parts.filter((part) => part.name === item.name && part.class === item.class).reduce((sum, part) => sum + part.ns, 0);
  const cells = (mean: number, median: number, p99: number) => [mean, median, p99].map((ns) => number(ns / unit.size));
  const rows: Cell[][] = budget.items.map((item) => [
    html("span", {}, html("i", { class: `swatch ${item.class}` }), item.name),
    ...cells(item.mean_ns, spent(budget.median, item), spent(budget.p99, item)),
  ]);
  rows.push(["sum", ...cells(budget.mean_ns, budget.median.latency_ns, budget.p99.latency_ns)]);
  return table(`${name}: time by activity, ${unit.name}`, ["", "mean", "median packet", "p99 packet"], rows);
}

/** The floor and its terms, each with its source. */
export function floorTable({ seen, name }: Shown): HTMLElement {
  const { floor, floor_text } = seen.answer;
  const rows = floor.terms.map((term) => [term.name, `${count(term.count)} × ${duration(term.each_ns)}`, duration(term.count * term.each_ns), html("span", { class: "words" }, term.source)]);
  return html("div", {},
    floor_text ? html("p", {}, floor_text) : null,
    table(`${name}: lower bound of the latency, ${duration(floor.ns)}`, ["", "repetitions", "time", "source"], rows));
}

/** Published results of a link, with their sources; nothing if there are none. */
export function publishedTable(link: answers.Link | undefined): HTMLElement | null {
  if (!link?.published.length) return null;
  const rows = link.published.map(({ size, median_ms, cite }) => [
    size === null ? "no message" : `${count(size)} B`, duration(median_ms * 1e6), html("span", { class: "words" }, documentOf(cite), `, ${cite.at}`),
  ]);
  return table(`${link.name}: published median latencies`, ["payload", "median", "source"], rows);
}

/** The findings of a run in words. */
export function findings(all: readonly Shown[]): HTMLElement {
  const items = all.flatMap(({ which, seen }) => seen.answer.findings.map((one) =>
    html("li", {},
      html("code", {}, all.length > 1 ? `${which.toUpperCase()} ${one.name}` : one.name),
      html("p", {}, one.message), html("p", { class: "quiet" }, one.advice))));
  const fixture = all.map(({ seen }) => seen.answer.budget?.fixture_text).filter(Boolean);
  return html("div", {},
    items.length ? html("ul", { class: "findings" }, ...items) : html("p", { class: "quiet" }, "No finding in this run."),
    ...fixture.map((text, at) => html("p", { class: "quiet" }, all.length > 1 ? `${at ? "B" : "A"} measurement setup: ${text}` : `Measurement setup: ${text}`)));
}
