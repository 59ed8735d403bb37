// The state of the view: a link with its settings, and the one with which it is compared.

import { duration } from "../amounts/parse.ts";
import type { Question } from "../core/questions.ts";
import * as field from "../state.ts";

/** A packet: one with the median or the p99 latency, or any other one by its number. */
export type Follow = "median" | "p99" | "message";

/** The axis of latencies: linear with the floor, linear over the latencies alone, or logarithmic. */
export type Scale = "linear" | "close" | "log";

export interface State {
  readonly link: string;
  readonly size: number;
  readonly set: field.Settings;
  /** The link to compare with. Empty: none. */
  readonly against: string;
  readonly against_size: number;
  readonly against_set: field.Settings;
  readonly count: number;
  readonly seed: number;
  readonly phase: "uniform" | "frozen";
  /** Time between triggers, as on the command line; empty: 200 ms, or longer if the link needs it. */
  readonly period: string;
  readonly scale: Scale;
  /** The packet whose boards are shown. */
  readonly follow: Follow;
  /** Number of the followed packet, from 1, if `follow` is neither of the other two. */
  readonly message: number;
  /** The quantile that advice reduces. */
  readonly for: "tail" | "median";
}

/** Longest period, ns: an hour. A run of thousands of messages still fits into the clock. */
const LONGEST_NS = 3_600e9;

const period: field.Field<string> = {
  standard: "",
  read(texts) {
    const text = texts.at(-1) ?? "";
    const found = duration(text, 1000, LONGEST_NS);
    if (text && !found.ok) throw new field.Problem(found.error);
    return text;
  },
  write: (value) => (value ? [value] : []),
};

export const FIELDS: field.Fields<State> = {
  link: field.name("nrf24-2m"),
  size: field.whole(12, 0, 65535),
  set: field.settings(),
  against: field.name(""),
  against_size: field.whole(12, 0, 65535),
  against_set: field.settings(),
  count: field.whole(1000, 10, 10000),
  seed: field.whole(1, 0, Number.MAX_SAFE_INTEGER),
  phase: field.choice("uniform", ["uniform", "frozen"]),
  period,
  scale: field.choice("linear", ["linear", "close", "log"]),
  follow: field.choice("median", ["median", "p99", "message"]),
  message: field.whole(1, 1, 10000),
  for: field.choice("tail", ["tail", "median"]),
};

/** A link as configured, with the triggers of the run. */
export interface Bench {
  readonly link: string;
  /** Null if the link has no message. */
  readonly size: number | null;
  readonly set: field.Settings;
  readonly count: number;
  readonly seed: number;
  readonly phase: State["phase"];
  readonly period: string;
}

/** The bench of the state, or the one with which it is compared. `messages`: whether a link has messages. */
export function benchOf(state: State, which: "a" | "b", messages: (link: string) => boolean): Bench {
  const { count, seed, phase, period } = state;
  const [link, size, set] =
    which === "a" ? [state.link, state.size, state.set] : [state.against, state.against_size, state.against_set];
  return { link, size: messages(link) ? size : null, set, count, seed, phase, period };
}

/** Fields that the questions "explain", "run" and "advise" have in common. */
export function asked(bench: Bench): Pick<Question & { question: "run" }, "link" | "size" | "count" | "seed" | "phase" | "period_ns" | "settings"> {
  const period = bench.period ? duration(bench.period, 1000, LONGEST_NS) : undefined;
  return {
    link: bench.link,
    size: bench.size,
    count: bench.count,
    seed: bench.seed,
    phase: bench.phase,
    period_ns: period?.ok ? period.value : null,
    settings: { ...bench.set },
  };
}
