// The answer as a matrix: candidates by verdict, criteria as columns, one cell each with its words.

import * as format from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";

type Verdict = answers.RecommendVerdict;

/** Symbol and words of a verdict, so that colour is never the only sign. */
export interface Sign {
  readonly symbol: string;
  /** Words of a cell. */
  readonly spoken: string;
  /** Heading of a group of links. */
  readonly heading: string;
}

export const SIGNS: Readonly<Record<Verdict, Sign>> = {
  passes: { symbol: "✓", spoken: "passes", heading: "Meets every requirement" },
  close: { symbol: "≈", spoken: "too close to call", heading: "Too close to call" },
  undecided: { symbol: "?", spoken: "undecided", heading: "Undecided" },
  fails: { symbol: "✗", spoken: "fails", heading: "Fails" },
};

/** Verdicts, best first. */
export const VERDICTS = Object.keys(SIGNS) as Verdict[];

/** A requirement as a column. */
export interface Column {
  readonly name: answers.CriterionName;
  readonly title: string;
  /** The limit that all candidates share, with its unit. Undefined if limits differ. */
  readonly limit: string | undefined;
}

export interface Cell {
  readonly verdict: Verdict;
  /** The value with its unit, or a word where there is none. */
  readonly text: string;
  readonly reason: string;
}

export interface Row {
  readonly candidate: answers.Recommended;
  /** One for each column. Undefined: not measured. */
  readonly cells: readonly (Cell | undefined)[];
}

export interface Group {
  readonly verdict: Verdict;
  readonly rows: readonly Row[];
}

export interface Matrix {
  readonly task: answers.Task;
  readonly columns: readonly Column[];
  readonly groups: readonly Group[];
}

const TITLES: Readonly<Record<answers.CriterionName, string>> = {
  deadline: "Deadline",
  delivery: "Delivery",
  law: "Regulation",
  "battery life": "Battery life",
  "peak current": "Peak current",
  charge: "Charge per message",
};
/** Words for a verdict on regulation, whose value depends on the rule. */
const LAW: Readonly<Record<Verdict, string>> = {
  passes: "allowed",
  close: "at the limit",
  undecided: "unknown",
  fails: "not allowed",
};

/** The matrix of an answer. */
export function matrixOf(answer: answers.Recommendation): Matrix {
  const all = answer.candidates;
  const names = (Object.keys(TITLES) as answers.CriterionName[]).filter((name) =>
    all.some((one) => criterion(one, name)),
  );
  const columns = names.map((name): Column => ({ name, title: titleOf(name, answer), limit: limitOf(name, all) }));
  const row = (candidate: answers.Recommended): Row => ({
    candidate,
    cells: names.map((name) => cellOf(criterion(candidate, name))),
  });
  const groups = VERDICTS.map((verdict) => ({
    verdict,
    rows: all.filter((one) => one.verdict === verdict).map(row),
  }));
  return { task: answer.task, columns, groups: groups.filter((group) => group.rows.length) };
}

/** The verdict of a candidate on a requirement. Undefined: not measured. */
export function criterion(candidate: answers.Recommended, name: answers.CriterionName): answers.Criterion | undefined {
  return candidate.criteria.find((one) => one.name === name);
}

function titleOf(name: answers.CriterionName, { task }: answers.Recommendation): string {
  return name === "deadline" ? `Latency, p${task.percentile ?? 99}` : TITLES[name];
}

function limitOf(name: answers.CriterionName, all: readonly answers.Recommended[]): string | undefined {
  if (name === "law") return undefined;
  const limits = all.flatMap((one) => {
    const found = criterion(one, name);
    return found && found.limit !== null ? [format.compact(amount(found.limit, found))] : [];
  });
  const [first] = limits;
  if (first === undefined || limits.some((one) => one !== first)) return undefined;
  return `${name === "delivery" || name === "battery life" ? "at least" : "at most"} ${first}`;
}

function cellOf(found: answers.Criterion | undefined): Cell | undefined {
  if (!found) return undefined;
  const { verdict, reason } = found;
  if (found.name === "law") return { verdict, text: LAW[verdict], reason };
  return { verdict, text: found.value === null ? "no value" : amount(found.value, found), reason };
}

/** Formats a value of a criterion in its usual unit. */
function amount(value: number, { name, unit }: answers.Criterion): string {
  switch (name) {
    case "deadline":
      return unit === "ms" ? format.duration(value * 1e6) : format.withUnit(value, unit);
    case "delivery":
      return unit === "%" ? format.percent(value / 100) : format.withUnit(value, unit);
    case "battery life":
      return format.years(value);
    case "charge":
      return unit === "uC" ? format.inUnits(value * 1e3, format.CHARGES) : format.withUnit(value, unit);
    default:
      return format.withUnit(value, unit);
  }
}

/** Settings that tune a candidate, in the order of the answer. */
export function tunedOf({ settings, tuned_settings }: answers.Recommended): [name: string, value: string][] {
  return tuned_settings.map((name) => [name, settings[name] ?? ""]);
}

/** The part of an address from `#` that shows a candidate in another view. */
export function addressOf(view: string, candidate: answers.Recommended): string {
  const params = new URLSearchParams({ link: candidate.link });
  if (candidate.size !== null) params.append("size", String(candidate.size));
  for (const [name, value] of Object.entries(candidate.settings)) params.append("set", `${name}:${value}`);
  return `#/${view}?${params.toString()}`;
}

/** Number of decided and undecided links, in words. */
export function decidedOf(answer: answers.Recommendation): string {
  const open = answer.candidates.filter((one) => one.verdict === "undecided").length;
  const all = answer.contenders;
  const decided = `${all - open} of ${all} ${all === 1 ? "link" : "links"} decided`;
  return open ? `${decided}, ${open} undecided` : decided;
}
