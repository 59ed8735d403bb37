// Explanations of the numbers of a recommendation.

import * as format from "../amounts/format.ts";
import { exactTime } from "../amounts/parse.ts";
import type { answers } from "../core/questions.ts";
import type { Explanation } from "../explain/explanation.ts";
import * as of from "../generated/descriptions.ts";
import * as terms from "../generated/glossary.ts";

/** Id of the part that states how the search was made. */
export const ORIGIN = "origin-search";

const TERMS: Readonly<Record<answers.RecommendVerdict, { term: string; meaning: string }>> = {
  passes: terms.passes_fails, fails: terms.passes_fails, close: terms.close, undecided: terms.undecided,
};
const WILSON = "95 % confidence interval: Wilson's, of a ratio.";
const OF_ALL = `${of.QuantileOfAll} 95 % confidence interval: order statistics.`;

function simulated({ link, settings, seen }: answers.Recommended, { seed }: answers.Task): string {
  const changed = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const head = `${link}, ${changed.length ? changed.join(", ") : "settings of the profile"}`;
  return seen
    ? `Simulated: ${format.count(seen.triggers)} messages, every ${format.duration(seen.period_ns)}, of ${head}${seed === undefined ? "" : `, random seed ${seed}`}.`
    : `Not simulated: ${head}.`;
}

function shareOf(name: string, { count, ratio, interval95: [low, high] }: answers.Proportion): string {
  return `${name}: ${format.count(count)}, ${format.percent(ratio)} (${format.percent(low)} to ${format.percent(high)}). ${WILSON}`;
}

/** How a criterion was decided. */
function measured(name: answers.CriterionName, { seen, law }: answers.Recommended): string[] {
  if (name === "law") return law ? [`Checked: ${law.reason}.`, `Time on air ${format.percent(law.airtime)}.`] : [];
  if (!seen) return [];
  switch (name) {
    case "deadline": {
      const [low, high] = seen.quantile_ns.interval95.map((ns) => (ns === null ? "lost" : format.duration(ns)));
      return [`Interval: ${low} to ${high}. ${OF_ALL}`, shareOf("In time", seen.in_time)];
    }
    case "delivery":
      return [shareOf("Lost", seen.lost)];
    default:
      return seen.charge ? [`${of.RecommendedRun_charge} Sum of all parts of this end, over their power states.`] : [];
  }
}

/** Documents on which a criterion depends. */
function sourcesOf(name: answers.CriterionName, { law, seen }: answers.Recommended): string[] {
  if (name === "law") {
    const checks = law?.radios.flatMap(({ verdicts }) => verdicts.flatMap(({ kindest }) => kindest.checks)) ?? [];
    const worst = checks.filter((one) => one.standing === law?.standing);
    return [...new Set((worst.length ? worst : checks).map((one) => one.clause))].slice(0, 3);
  }
  if (name === "charge" || name === "battery life" || name === "peak current") {
    return ["Currents of the parts: from their data sheets, in links/parts.toml; see docs/energy.md.", ...(name === "charge" ? [] : ["Batteries: data sheets in links/batteries.toml."])];
  }
  return [...(seen?.largest ? [`Largest slice: ${seen.largest.name}, ${format.duration(seen.largest.ns)}.`] : []),
    "Each constant of the link has its source beside its control in the view of one packet."];
}

/** A cell of the matrix: value, limit, interval, how it was measured. */
export function criterionOf(criterion: answers.Criterion | undefined, title: string, candidate: answers.Recommended, task: answers.Task): Explanation {
  if (!criterion) return { name: `${candidate.link}: ${title}`, what: "Not computed in this pass.", origin: ORIGIN };
  const { name, value, limit, unit, distance, verdict, reason } = criterion;
  const amount = (one: number) => format.withUnit(one, unit);
  return {
    name: `${candidate.link}: ${title}`,
    what: of.Criterion_value,
    unit: unit || "none",
    how: [
      `${verdict}: ${reason}.`,
      [value === null ? "" : `Value ${amount(value)}`, limit === null ? "no limit" : `limit ${amount(limit)}`, distance === null ? "" : `distance ${amount(distance)}`].filter(Boolean).join(", ") + ".",
      simulated(candidate, task),
      ...measured(name, candidate),
    ],
    sources: sourcesOf(name, candidate),
    field: `candidates[].criteria["${name}"].value`,
    term: TERMS[verdict],
    origin: ORIGIN,
  };
}

/** Fields of the details, by the words before them. */
const DETAILS = {
  gives_up: { name: "cost of these settings", what: of.Recommended_gives_up, field: "candidates[].gives_up" },
  reason: { name: "verdict", what: of.Recommended_reason, field: "candidates[].reason" },
  floor: { name: "lower bound of the latency", what: of.Recommended_floor_ns, field: "candidates[].floor_ns, ns", term: terms.floor_lower_bound },
  sent: { name: "messages", what: `${of.RecommendedRun_triggers} ${of.RecommendedRun_period_ns}`, field: "candidates[].seen.triggers" },
  in_time: { name: "in time", what: of.RecommendedRun_in_time, field: "candidates[].seen.in_time" },
  lost: { name: "lost", what: of.RecommendedRun_lost, field: "candidates[].seen.lost", term: terms.lost },
  p50_ns: { name: "median latency", what: `${of.RecommendedRun_p50_ns} ${of.QuantileOfAll}`, field: "candidates[].seen.p50_ns, ns", term: terms.latency },
  quantile_ns: { name: "latency at the percentile", what: `${of.RecommendedRun_quantile_ns} ${of.QuantileOfAll}`, field: "candidates[].seen.quantile_ns, ns", term: terms.latency },
  largest: { name: "largest slice", what: of.RecommendedRun_largest, field: "candidates[].seen.largest", term: terms.slice },
  fade_margin_db: { name: "fade margin", what: of.RecommendedRun_fade_margin_db, field: "candidates[].seen.fade_margin_db, dB", term: terms.fade_margin },
} as const;

export type Detail = keyof typeof DETAILS;

export function detailOf(detail: Detail, candidate: answers.Recommended, task: answers.Task): Explanation {
  const { name, ...rest } = DETAILS[detail];
  const how = {
    in_time: [WILSON], lost: [WILSON], p50_ns: [OF_ALL], quantile_ns: [OF_ALL],
    floor: ["Computed by the formulas of the link, term by term in the view of one packet."],
  }[detail as "lost"] ?? [];
  return { name: `${candidate.link}: ${name}`, ...rest, how: [...(detail === "floor" ? [] : [simulated(candidate, task)]), ...how], origin: ORIGIN };
}

/** A limit of the requirement, which the user set. */
export function requirementOf(): Explanation {
  return { name: "requirement", what: of.Task, how: ["A field of the form, or its default."], sources: ["The requirement in the form above."], field: "task", origin: ORIGIN };
}

export function workOf({ work_s }: answers.Recommendation): Explanation {
  return { name: "work", what: of.Recommendation_work_s, how: [`Counted by the core: ${format.number(work_s)} s of one core, and the budget that was given.`], field: "work_s, s", origin: ORIGIN };
}

/** Information common to all numbers of a search. */
export function madeOf({ task, work_s, complete, contenders }: answers.Recommendation): string[] {
  return [
    `${of.Recommendation_contenders} ${format.count(contenders)}. ${of.Recommendation_work_s} ${format.number(work_s)} s, ${complete ? "complete" : "not complete"}.`,
    `Every candidate is simulated on the virtual bench with messages ${task.period_ns ? `every ${exactTime(task.period_ns)}` : "at random times"}${task.seed === undefined ? "" : `, random seed ${task.seed}`}. Close decisions get more messages.`,
    `${of.QuantileOfAll} All verdicts of one answer hold jointly with 95 % confidence.`,
  ];
}
