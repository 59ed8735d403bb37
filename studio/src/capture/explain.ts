// Explanations of the numbers of a capture.

import { count, duration, percent, type Unit } from "../amounts/format.ts";
import type { answers, Ranked } from "../core/questions.ts";
import type { Explanation } from "../explain/explanation.ts";
import * as of from "../generated/descriptions.ts";
import * as terms from "../generated/glossary.ts";
import type { State } from "./state.ts";

/** Ids of the parts that state how the capture was paired, and how links were ranked. */
export const ORIGIN = "origin-capture";
export const RANK_ORIGIN = "origin-rank";

/** From docs/numbers.md. */
const LINEAR = "Quantile: linear interpolation between the closest ranks (type 7), of the delivered transfers.";
const ORDER_STATISTICS = "95 % confidence interval: order statistics chosen by the binomial distribution, for independent transfers.";
const WILSON = "95 % confidence interval: Wilson's, of a ratio.";

/** Channels and pairing, in one sentence. */
export function paired({ channels, triggers, source }: answers.Run): string {
  return channels
    ? `From ${source}: rising edges of ${channels[0]} paired with rising edges of ${channels[1]} within the window of each trigger, ${count(triggers)} triggers.`
    : `From ${source}: ${count(triggers)} latencies of a table, as they are.`;
}

const COUNTS = {
  triggers: { what: of.Run_triggers, term: terms.trigger },
  delivered: { what: of.Run_delivered, term: terms.delivered },
  lost: { what: of.Run_lost, term: terms.lost },
  late: { what: of.Run_late, term: terms.late },
  censored: { what: of.Run_censored, term: terms.censored },
  spurious: { what: of.Run_spurious, term: terms.spurious_completion },
  glitches: { what: of.Run_glitches, term: terms.trigger },
} as const;

export type Count = keyof typeof COUNTS;

export function countOf(run: answers.Run, field: Count): Explanation {
  return { name: field, ...COUNTS[field], how: [`Counted. ${paired(run)}`], field, origin: ORIGIN };
}

export function deliveryOf(run: answers.Run): Explanation {
  return {
    name: "delivery ratio", what: of.Run_delivery, how: [`Computed: ${count(run.delivered)} delivered of ${count(run.delivered + run.lost)} with a known outcome.`, WILSON, paired(run)],
    field: "delivery", term: terms.delivery_ratio, origin: ORIGIN,
  };
}

export function deadlineOf(run: answers.Run, { deadline_ns, missed, n }: answers.Deadline): Explanation {
  return {
    name: "deadline", what: `${of.Deadline} ${of.Deadline_missed} ${of.Deadline_longest_run}`,
    how: [`Counted: ${count(missed)} of ${count(n)} above ${duration(deadline_ns)} or lost.`, WILSON, paired(run)], field: "deadline", origin: ORIGIN,
  };
}

const QUANTILES = {
  min: of.Latency_min, p1: of.Latency_p1, p5: of.Latency_p5, p25: of.Latency_p25, p50: of.Latency_p50, p75: of.Latency_p75,
  p95: of.Latency_p95, p99: of.Latency_p99, max: of.Latency_max, mean: of.Latency_mean, std: of.Latency_std, jitter: of.Jitter,
} as const;

export type Statistic = keyof typeof QUANTILES;

export function statisticOf(run: answers.Run, name: Statistic, unit: Unit): Explanation {
  const isQuantile = /^p\d/.test(name);
  const [term, how] = name === "jitter"
    ? [terms.jitter, ["Computed from consecutive latencies."]]
    : [isQuantile ? terms.p50_p95_p99 : terms.latency, isQuantile ? [ORDER_STATISTICS] : []];
  return {
    name: name === "jitter" || name === "std" ? name : `${name} of the latency`,
    what: `${QUANTILES[name]}${name === "jitter" ? ` Mean: ${of.Jitter_mean} p99: ${of.Jitter_p99}` : ` ${of.Latency}`}`,
    unit: unit.name,
    how: [...how, paired(run)],
    field: `latency_ns.${name}, ns`,
    term,
    origin: ORIGIN,
  };
}

export function findingOf({ name, evidence, message }: answers.Finding, run: answers.Run): Explanation {
  const values = Object.entries(evidence).filter(([, value]) => typeof value === "number" || typeof value === "string");
  return {
    name: `finding ${name}`,
    what: message,
    how: [paired(run), ...(values.length ? [`${of.Finding_evidence} ${values.map(([key, value]) => `${key} = ${String(value)}`).join(", ")}.`] : [])],
    sources: ["Threshold and null distribution of each finding: docs/findings.md."],
    field: "findings[].evidence",
    term: terms.finding,
    origin: ORIGIN,
  };
}

/** Size, channels and duration of the file. */
export function fileOf(): Explanation {
  return { name: "the file", what: `Size of the file, number of its channels, and duration. ${of.Channels_duration_ns}`, how: ["Size: from the browser. Channels and duration: read from the file."], field: "duration_ns, ns", origin: ORIGIN };
}

const WIRES = {
  rises: { name: "rises", what: of.Wire_rises, field: "channels[].rises" },
  rate: { name: "rises per s", what: of.Wire_rate_hz, unit: "1/s", field: "channels[].rate_hz" },
  high: { name: "high", what: of.Wire_high, unit: "% of the time", field: "channels[].high" },
  shortest_high: { name: "shortest high", what: of.Wire_shortest_high_ns, field: "channels[].shortest_high_ns, ns" },
  shortest_low: { name: "shortest low", what: of.Wire_shortest_low_ns, field: "channels[].shortest_low_ns, ns" },
} as const;

export function wireOf({ name, edges }: answers.Wire, column: keyof typeof WIRES): Explanation {
  return { ...WIRES[column], name: `${name}: ${WIRES[column].name}`, how: [`Counted from ${count(edges)} edges of this channel.`], origin: ORIGIN };
}

/** The part of the capture that is shown, or the transfer under the pointer. */
export function viewOf(): Explanation {
  return { name: "the visible part", what: "Times on the clock of the capture, the number of transfers in it, and the latency of the transfer under the pointer.", how: ["Computed by the page from the edges of the pairing; latency: completion less trigger."], field: "trigger_ns, completion_ns", term: terms.transfer, origin: ORIGIN };
}

export function levelsOf(): Explanation {
  return { name: "memory of the levels", what: "Memory for the edges in the core and in the page.", how: ["Computed by the page: 40 B for each edge."], origin: ORIGIN };
}

export function chartOf(): Explanation {
  return {
    name: "this chart",
    what: "Share of the triggers in each bin of latency, with p50, p95, p99 and their 95 % confidence intervals. Losses lower the bars. The values are in the table of quantiles.",
    how: ["Counted by the page from the transfers of the pairing."], origin: ORIGIN,
  };
}

export function missingOf(lost: number, n: number): Explanation {
  return { name: "without a completion", what: "Lost and censored transfers as a share of the triggers.", how: [`Computed by the page: ${count(lost)} of ${count(n)}, ${percent(lost / n)}.`], term: terms.lost, origin: ORIGIN };
}

/** A candidate of the ranking. */
export function candidateOf(one: answers.MatchCandidate, column: "score" | "virtual" | "captured" | "words"): Explanation {
  const { link, score, evidence, tolerance, ks, ks_chance, captured, virtual } = one;
  const parts = Object.entries(evidence).map(([name, value]) => `${name} ${Number(value).toFixed(3)}`).join(", ");
  const what = {
    score: of.MatchCandidate_score,
    virtual: `${of.QuantileErrors_p50} ${of.QuantileError_virtual_ns}`,
    captured: `${of.QuantileErrors_p50} ${of.QuantileError_captured_ns}`,
    words: of.MatchCandidate,
  }[column];
  return {
    name: `${link} against the capture`,
    what,
    how: [
      "Simulated: the link under the trigger times of the capture.",
      `Misfit ${score === null ? "unknown" : score.toFixed(3)}; explains the capture up to ${tolerance}. By component: ${parts}.`,
      `KS distance ${ks.toFixed(3)}; by chance up to ${ks_chance.toFixed(3)}.`,
      `Delivered: ${count(captured.delivered)} in the capture, ${count(virtual.delivered)} on the bench.`,
    ],
    sources: ["Components and limits of the misfit: docs/matching.md."],
    field: { score: "ranking[].score", virtual: "ranking[].quantile_error.p50.virtual_ns", captured: "ranking[].quantile_error.p50.captured_ns", words: "ranking[]" }[column],
    term: column === "words" ? terms.match : column === "score" ? terms.KS_distance : terms.p50_p95_p99,
    origin: RANK_ORIGIN,
  };
}

/** How the capture was read and paired. */
export function madeOf(run: answers.Run, { overlap, minlow, deadline, invert }: State): string[] {
  return [
    paired(run),
    `Window: ${terms.window.meaning}. Overlap ${overlap || "none"}. A trigger counts after a low time of ${minlow || "1 us"}. ` +
      `Active low: ${invert.length ? invert.join(", ") : "none"}. Deadline: ${deadline || "none"}.`,
    `${LINEAR} ${ORDER_STATISTICS} Delivery ratio: ${WILSON} ${terms.censored.term}: ${terms.censored.meaning}.`,
  ];
}

export function rankMadeOf({ impossible, unlike }: Ranked): string[] {
  return [
    `${terms.match.term}: ${terms.match.meaning}.`,
    `${of.MatchEvidence} Place: ${of.MatchEvidence_place} Variation: ${of.MatchEvidence_variation} Order: ${of.MatchEvidence_order} Lost: ${of.MatchEvidence_lost} Clock: ${of.MatchEvidence_clock} Lattice: ${of.MatchEvidence_lattice}`,
    `${count(impossible)} links cannot produce this latency, ${count(unlike)} have a different spread.`,
  ];
}
