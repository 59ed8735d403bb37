// The state of the view: links, their traffic, and the rate for regulation and battery life.

import * as parse from "../amounts/parse.ts";
import type { Question } from "../core/questions.ts";
import { pythonDictionary, pythonText } from "../reproduce.ts";
import { shellLine } from "../shell.ts";
import * as field from "../state.ts";

export const ARRIVALS = ["poisson", "periodic", "burst"] as const;
export const REGIONS = ["eu", "us"] as const;

export interface State {
  readonly link: readonly string[];
  readonly size: number;
  /** Settings of all links. */
  readonly set: field.Settings;
  /** Offered loads, kbit/s, separated by commas. Empty: thirteen from 0.1 to 3 times the saturated goodput. */
  readonly loads: string;
  readonly queue: number;
  readonly arrivals: (typeof ARRIVALS)[number];
  readonly count: number;
  readonly seed: number;
  /** The link whose regulation and battery life are shown. Empty: the first. */
  readonly of: string;
  /** Message rate for regulation and battery life, as on the command line. */
  readonly rate: string;
  readonly region: (typeof REGIONS)[number];
  readonly battery: string;
}

/** Largest number of links on one chart, because more lines cannot be distinguished. */
export const MOST_LINKS = 4;
/** Largest number of offered loads, so that an answer takes no more than seconds. */
const MOST_LOADS = 40;
const LOADS = { low: 1e-3, high: 1e6, example: "10,50" };
const USUAL = { queue: 64, count: 1000, size: 128 };

/** A text that a parser accepts. */
function parsedText(standard: string, read: (text: string) => parse.Parsed<unknown>): field.Field<string> {
  const base = field.text(standard, 400);
  return {
    ...base,
    read(texts) {
      const text = base.read(texts).trim();
      const found = read(text);
      if (!found.ok) throw new field.Problem(`dropped: ${found.error}`);
      return text;
    },
  };
}

/** Offered loads of a text, kbit/s. None: the default ones. */
export function loadsOf(text: string): parse.Parsed<number[]> {
  if (!text.trim()) return parse.parsed([]);
  const found = parse.numbers(text, LOADS.low, LOADS.high, LOADS.example);
  if (!found.ok) return found;
  const values = [...new Set(found.value)].sort((one, other) => one - other);
  return values.length > MOST_LOADS
    ? parse.refused(`${values.length} loads are too many; write at most ${MOST_LOADS}`)
    : parse.parsed(values);
}

/** The name of a battery or a capacity. The core checks whether it is listed. */
export function batteryOf(text: string): parse.Parsed<string> {
  const name = text.replace(/\s+/g, "");
  return /^[A-Za-z0-9.@+-]{1,40}$/.test(name)
    ? parse.parsed(name)
    : parse.refused("it is not a battery; write one such as CR2032, 2xAA or 500mAh");
}

export const FIELDS: field.Fields<State> = {
  link: field.names(["nrf24-2m-ordinary", "espnow-woken"], MOST_LINKS),
  size: field.whole(32, 1, 65535),
  set: field.settings(),
  loads: parsedText("", loadsOf),
  queue: field.whole(USUAL.queue, 1, 100_000),
  arrivals: field.choice("poisson", ARRIVALS),
  count: field.whole(USUAL.count, 100, 20_000),
  seed: field.whole(1, 0, Number.MAX_SAFE_INTEGER),
  of: field.name(""),
  rate: parsedText("1/s", parse.rate),
  region: field.choice("eu", REGIONS),
  battery: parsedText("CR2032", batteryOf),
};

type Of<Q extends Question["question"]> = Extract<Question, { question: Q }>;

/** The question for the load of one link. */
export function loadQuestion(state: State, link: string): Of<"load"> {
  const { size, queue, arrivals, count, seed, set } = state;
  const loads = loadsOf(state.loads);
  return {
    question: "load", link, size, queue, arrivals, count, seed,
    settings: { ...set },
    rates_kbps: loads.ok ? loads.value : [],
  };
}

/** The question for the saturated goodput of one link, with its time budget. */
export function goodputQuestion({ size, count, seed, set }: State, link: string): Of<"goodput"> {
  return { question: "goodput", link, size, count, seed, settings: { ...set } };
}

/** The link whose regulation and battery life are shown. */
export function shownLink(state: State): string | undefined {
  return state.link.includes(state.of) ? state.of : state.link[0];
}

/** Longest period that is simulated for regulation, s: a lower rate only lowers the time on air. */
export const LONGEST_PERIOD_S = 60;
/** Time and messages that are simulated for regulation. */
const SIMULATED_S = 600;
const MESSAGES = { least: 20, most: 200 };

/** The question for regulation and battery life of one link at the message rate. */
export function rateQuestion(state: State, link: string): Of<"run"> {
  const found = parse.rate(state.rate);
  const per_second = found.ok ? found.value : 1;
  const period_s = Math.min(1 / per_second, LONGEST_PERIOD_S);
  const count = Math.round(Math.min(Math.max(SIMULATED_S / period_s, MESSAGES.least), MESSAGES.most));
  return {
    question: "run", link, size: state.size, count,
    period_ns: Math.max(Math.round(period_s * 1e9), 1),
    seed: state.seed,
    settings: { ...state.set },
    findings: false,
    region: state.region,
    battery: state.battery.replace(/\s+/g, ""),
    per_second,
  };
}

/** The command line with the same numbers as the charts. */
export function loadLine(state: State): string {
  const words = ["airlag", "load", ...state.link];
  if (state.size !== USUAL.size) words.push("--size", String(state.size));
  const loads = loadsOf(state.loads);
  if (loads.ok && loads.value.length) words.push("--rate", loads.value.join(","));
  if (state.queue !== USUAL.queue) words.push("--queue", String(state.queue));
  if (state.arrivals !== "poisson") words.push("--arrivals", state.arrivals);
  if (state.count !== USUAL.count) words.push("--count", String(state.count));
  for (const [name, value] of Object.entries(state.set)) words.push("--set", `${name}=${value}`);
  if (state.seed !== 1) words.push("--seed", String(state.seed));
  return shellLine(words);
}

/** The expression of Python with the same numbers as the charts. */
export function loadPython(state: State): string {
  const { link: links, size, queue, arrivals, count, seed, set } = state;
  const words = [`size=${size}`];
  const loads = loadsOf(state.loads);
  if (loads.ok && loads.value.length) words.push(`rates_kbps=[${loads.value.join(", ")}]`);
  if (queue !== USUAL.queue) words.push(`queue=${queue}`);
  if (arrivals !== "poisson") words.push(`arrivals=${pythonText(arrivals)}`);
  if (count !== USUAL.count) words.push(`count=${count}`);
  if (seed !== 1) words.push(`seed=${seed}`);
  if (Object.keys(set).length) words.push(`settings=${pythonDictionary(set)}`);
  const call = (link: string) => `airlag.offered_load(${link}, ${words.join(", ")})`;
  const [first] = links;
  if (links.length === 1 && first !== undefined) return call(pythonText(first));
  return `[${call("link")} for link in [${links.map(pythonText).join(", ")}]]`;
}
