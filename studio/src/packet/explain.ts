// Explanations of the numbers of a run on the virtual bench.

import { count, duration, inUnit, percent, type Unit } from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import type { Explanation } from "../explain/explanation.ts";
import * as of from "../generated/descriptions.ts";
import * as terms from "../generated/glossary.ts";
import { documentOf } from "./source.ts";
import type { Shown } from "./timeline.ts";

/** Id of the part that states how a run was made. */
export const ORIGIN = "origin-run";

type Quantile = "min" | "p50" | "p95" | "p99" | "p99.9" | "max";

const QUANTILES: Readonly<Record<Quantile, string>> = {
  min: of.Latency_min, p50: of.Latency_p50, p95: of.Latency_p95, p99: of.Latency_p99, "p99.9": of.Latency_p99_9, max: of.Latency_max,
};
/** From docs/numbers.md. */
const ORDER_STATISTICS = "95 % confidence interval: order statistics chosen by the binomial distribution, for independent messages.";
const WILSON = "95 % confidence interval: Wilson's, of a ratio.";
const LINEAR = "Quantile: linear interpolation between the closest ranks (type 7), of the delivered messages.";

/** Number of messages and seed of a run, in one sentence. */
export function simulated({ seen: { answer, bench, whole } }: Shown): string {
  const part = whole ? "" : ` (first ones; ${count(bench.count)} are being computed)`;
  return `Simulated: ${count(answer.triggers)} messages on ${bench.link}${part}, random seed ${bench.seed}.`;
}

export function quantileOf(shown: Shown, key: Quantile, unit: Unit): Explanation {
  const { latency_ns, budget, floor } = shown.seen.answer;
  const ends = key === "min" || key === "max";
  const packet = key === "p50" ? budget?.median : key === "p99" ? budget?.p99 : undefined;
  return {
    name: `${key} of the latency`,
    what: `${QUANTILES[key]} ${of.Latency}`,
    unit: `${unit.name}, from trigger edge to strobe edge`,
    how: [
      simulated(shown),
      ...(ends ? [] : [latency_ns?.interval95[key as "p50"] ? ORDER_STATISTICS : ""]).filter(Boolean),
      ...(packet ? [`Largest slices of such a packet: ${largestOf(packet.parts, packet.latency_ns)}.`] : []),
    ],
    sources: sourcesOf(floor.terms),
    field: `latency_ns["${key}"], ns`,
    term: terms.latency,
    origin: ORIGIN,
  };
}

/** Parts of a packet that take most of its time. */
function largestOf(parts: readonly answers.Part[], whole_ns: number): string {
  const all = new Map<string, number>();
  for (const { name, ns } of parts) all.set(name, (all.get(name) ?? 0) + ns);
  const sorted = [...all].sort(([, a], [, b]) => b - a).slice(0, 3);
  return sorted.map(([name, ns]) => `${name} ${duration(ns)} (${percent(ns / whole_ns)})`).join(", ");
}

/** Sources of the terms of a bound that take most of its time. */
export function sourcesOf(all: readonly answers.Term[]): string[] {
  const sorted = [...all].sort((a, b) => b.count * b.each_ns - a.count * a.each_ns).slice(0, 2);
  return sorted.map(({ name, source }) => `${name}: ${source}`);
}

export function floorOf({ seen: { answer } }: Shown): Explanation {
  const { terms: all } = answer.floor;
  return {
    name: "floor",
    what: `${of.ExplainedRun_floor} ${of.Floor}`,
    how: [`Computed: ${all.map(({ name, count: n, each_ns }) => `${name} ${count(n)} × ${duration(each_ns)}`).join(" + ")}.`],
    sources: sourcesOf(all),
    field: "floor.ns, ns",
    term: terms.floor_lower_bound,
    origin: ORIGIN,
  };
}

export function termOf({ name, source, count: n, each_ns }: answers.Term, field: string): Explanation {
  return {
    name,
    what: of.Term,
    how: [`Computed: ${count(n)} × ${duration(each_ns)}, from the formulas of the link.`],
    sources: [source],
    field,
    term: terms.floor_lower_bound,
  };
}

export function deliveryOf(shown: Shown): Explanation {
  const { delivered, lost } = shown.seen.answer;
  return {
    name: "delivery ratio",
    what: of.ExplainedRun_delivery,
    how: [`Computed: ${count(delivered)} delivered of ${count(delivered + lost)} with a known outcome.`, simulated(shown), WILSON],
    field: "delivery",
    term: terms.delivery_ratio,
    origin: ORIGIN,
  };
}

const COUNTS = {
  delivered: { what: of.ExplainedRun_delivered, term: terms.delivered },
  lost: { what: of.ExplainedRun_lost, term: terms.lost },
  late: { what: of.ExplainedRun_late, term: terms.late },
  censored: { what: of.ExplainedRun_censored, term: terms.censored },
} as const;

export function countOf(shown: Shown, field: keyof typeof COUNTS): Explanation {
  return { name: `${field} messages`, ...COUNTS[field], unit: "messages", how: [`Counted. ${simulated(shown)}`], field, origin: ORIGIN };
}

export function eventsOf(shown: Shown): Explanation {
  return { name: "events", what: of.Causes_events, how: [`Counted by the models. ${simulated(shown)}`], field: "causes.events", origin: ORIGIN };
}

/** A number that the page computes from both runs. */
export function ratioOf(name: string): Explanation {
  return { name: `A / B: ${name}`, what: "The value of A as a multiple of the value of B.", how: ["Computed by the page from the values in this row."], origin: ORIGIN };
}

/** From docs/numbers.md. */
const SQUARED = "95 % confidence interval of the difference: from the intervals of both values, by adding squared distances to the bounds (Newcombe 1998, Zou and Donner 2008).";

/** How two runs were compared: both benches, and the method of the comparison. */
function bothOf(found: answers.Comparison, all: readonly Shown[], method: string): string[] {
  const differs = found.differs.map(({ what, setting, a, b }) => `${setting ?? what} ${a ?? "as in the profile"} and ${b ?? "as in the profile"}`);
  return [...all.map((one) => `${one.which.toUpperCase()}: ${simulated(one)}`), ...(differs.length ? [`The runs differ in ${differs.join(", ")}.`] : []), method];
}

/** The verdict on two runs. */
export function comparedOf(name: string, found: answers.Comparison, all: readonly Shown[]): Explanation {
  return {
    name, what: of.Comparison_comparable, how: bothOf(found, all, `${of.Comparison_obstacles} ${of.Comparison_notes}`),
    field: "comparable, obstacles, notes", origin: ORIGIN,
  };
}

/** A value in both runs, and its difference. */
export function differenceOf(name: string, found: answers.Comparison, all: readonly Shown[], unit: Unit): Explanation {
  const ratio = name === "delivery ratio";
  return {
    name: `${name}: difference`,
    what: `${ratio ? of.Comparison_delivery : of.Comparison_latency_ns} ${of.Difference_difference}`,
    unit: ratio ? "%, and percentage points for differences" : unit.name,
    how: bothOf(found, all, SQUARED),
    sources: [ratio ? WILSON : ORDER_STATISTICS],
    field: ratio ? "delivery" : `latency_ns["${name}"], ns`,
    term: ratio ? terms.delivery_ratio : terms.latency,
    origin: ORIGIN,
  };
}

/** How often one run is faster. */
export function fasterOf(found: answers.Comparison, all: readonly Shown[]): Explanation {
  const tested = found.p === null ? "" : ` ${of.Comparison_p} p = ${found.p.toPrecision(2)}.`;
  const distance = found.ks === null ? "" : ` ${of.Comparison_ks} Here: ${found.ks.toPrecision(3)}.`;
  return {
    name: "share of faster messages", what: of.Comparison_b_quicker,
    how: bothOf(found, all, `Computed from the ranks of all latencies.${tested}${distance}`),
    field: "b_quicker, p, ks", origin: ORIGIN,
  };
}

const SPENT = {
  mean: { what: of.Item_mean_ns, field: "budget.items[].mean_ns, ns" },
  median: { what: of.Budget_median, field: "budget.median.parts[].ns, ns" },
  p99: { what: of.Budget_p99, field: "budget.p99.parts[].ns, ns" },
} as const;

export function sliceOf(shown: Shown, name: string, column: keyof typeof SPENT, unit: Unit): Explanation {
  const { what, field } = SPENT[column];
  const sum = name === "sum";
  const own = shown.seen.answer.floor.terms.filter((one) => one.name === name || one.name.startsWith(`${name},`));
  return {
    name: `${name}, ${column}`,
    what: sum ? `${of.Budget} ${of.Timeline}` : `${what} ${of.Item}`,
    unit: unit.name,
    how: [...(column === "mean" || sum ? [] : ["Computed by the page: the sum of the parts of this name."]), simulated(shown)],
    sources: sourcesOf(own),
    field: sum ? `budget.${column === "mean" ? "mean_ns" : `${column}.latency_ns`}, ns` : field,
    term: terms.slice,
    origin: ORIGIN,
  };
}

export function publishedOf({ median_ms, cite, from }: answers.Published): Explanation {
  return {
    name: "published median",
    what: of.Published_median_ms,
    how: [`Published as ${inUnit(median_ms, { name: "ms", size: 1 })}: ${from}.`],
    sources: [html("span", {}, documentOf(cite), `, ${cite.at}`)],
    field: "published[].median_ms, ms",
  };
}

/** Values on which a finding is based. */
export function findingOf({ name, evidence, message }: answers.Finding, how: string, origin: string): Explanation {
  const values = Object.entries(evidence).filter(([, value]) => typeof value === "number" || typeof value === "string");
  return {
    name: `finding ${name}`,
    what: `${of.Finding_message} ${message}`,
    how: [how, ...(values.length ? [`${of.Finding_evidence} ${values.map(([key, value]) => `${key} = ${String(value)}`).join(", ")}.`] : [])],
    sources: ["Threshold and null distribution of each finding: docs/findings.md."],
    field: "findings[].evidence",
    term: terms.finding,
    origin,
  };
}

export function fixtureOf(shown: Shown): Explanation {
  return {
    name: "measurement setup",
    what: of.Budget_fixture_text,
    how: [simulated(shown), `${of.Timeline_fixture_ns}`],
    field: "budget.median.fixture_ns, ns",
    term: terms.fixture,
    origin: ORIGIN,
  };
}

/** The charts, whose numbers are also in the table of numbers. */
export function chartOf(what: string, all: readonly Shown[], unit: Unit): Explanation {
  return {
    name: "this chart",
    what,
    unit: unit.name,
    how: all.map(simulated),
    sources: all.flatMap(({ seen }) => sourcesOf(seen.answer.floor.terms)),
    origin: ORIGIN,
  };
}

/** Information common to all numbers of a run: the bench, its triggers, and the documents of its constants. */
export function madeOf(shown: Shown, link: answers.Link | undefined): (string | Node)[] {
  const { bench, answer } = shown.seen;
  const changed = Object.entries(bench.set).map(([name, value]) => `${name}=${value}`);
  const lines: (string | Node)[] = [
    `${simulated(shown)} ${terms.virtual_bench.term}: ${terms.virtual_bench.meaning}.`,
    `Payload: ${bench.size === null ? "none" : `${count(bench.size)} B`}. Settings: ${changed.length ? changed.join(", ") : "as in the profile"}. ` +
      `Triggers: ${bench.period ? `every ${bench.period}` : "every 200 ms, or longer if the link needs it"}; ${bench.phase === "frozen" ? terms.frozen_phase.meaning : terms.asynchronous_uniform_phase.meaning}.`,
    `${LINEAR} ${ORDER_STATISTICS} Delivery ratio: ${WILSON}`,
  ];
  if (link) lines.push(constantsOf(link));
  return answer.triggers ? lines : [];
}

/** Documents of the constants of a profile, the document of most constants first. */
function constantsOf({ name, parameters }: answers.Link): Node {
  const documents = new Map<string, { cite: answers.Citation; names: string[] }>();
  const origins = new Map<string, number>();
  for (const [key, { source, cite }] of Object.entries(parameters)) {
    origins.set(source, (origins.get(source) ?? 0) + 1);
    if (!cite) continue;
    const known = documents.get(cite.title) ?? { cite, names: [] };
    known.names.push(key);
    documents.set(cite.title, known);
  }
  const kinds = [...origins].map(([kind, n]) => `${count(n)} ${kind}`).join(", ");
  const sorted = [...documents.values()].sort((a, b) => b.names.length - a.names.length);
  return html("span", {}, `Constants of ${name} by kind of source: ${kinds}. Each has its source beside its control. Documents: `,
    ...sorted.flatMap(({ cite, names }, nth) => [nth ? "; " : "", documentOf(cite), ` (${names.map((one) => one.replaceAll("_", " ")).join(", ")})`]), ".");
}
