// The requirement: the options of `airlag recommend` as fields of the address, and the question to the core.

import * as parse from "../amounts/parse.ts";
import type { Parsed } from "../amounts/parse.ts";
import type { Question } from "../core/questions.ts";
import { Problem, quoted, type Field, type Fields } from "../state.ts";

/** The question to the core. */
export type Recommend = Extract<Question, { question: "recommend" }>;

/** Every option as text, in the syntax of the command line. Empty: not given. */
export type Requirement = Readonly<Record<OptionName, string>>;

/** An option of the command line: its description, and the conversion of its text to a part of the question. */
export interface Option {
  readonly label: string;
  /** Description, in a line under the field. */
  readonly about: string;
  /** Shown in an empty field: the default, or an example. */
  readonly example: string;
  readonly part: (text: string) => Parsed<Partial<Recommend>>;
}

/** Longest deadline and period, ns, as on the command line. */
const LONGEST_NS = 1e13;
/** Shortest period, ns, as on the command line. */
const LEAST_PERIOD_NS = 1000;
/** Payloads that links carry, bytes. */
export const LEAST_SIZE = 7;
export const MOST_SIZE = 2048;
/** Default payload, as on the command line. */
const USUAL_SIZE = 128;
/** Default work budget of the search, seconds of one core. */
export const USUAL_BUDGET_S = 30;
/** Longest budget that the page starts, s: an hour. The command line has no such limit. */
const MOST_BUDGET_S = 3600;
/** Largest random seed that is exact in JavaScript. */
const MOST_SEED = 2 ** 53 - 1;

/** Converts the value of a parsed text. */
function mapped<T, U>(found: Parsed<T>, form: (value: T) => U): Parsed<U> {
  return found.ok ? parse.parsed(form(found.value)) : found;
}

function word<W extends string>(text: string, words: readonly W[]): Parsed<W> {
  const found = words.find((one) => one === text.trim());
  return found === undefined
    ? parse.refused(`${quoted(text)} is not known; write ${words.join(" or ")}`)
    : parse.parsed(found);
}

/** Splits a list at spaces or at a separator that cannot occur within its items. */
function items(text: string, separator: RegExp): string[] {
  return [...new Set(text.split(separator).map((one) => one.trim()).filter(Boolean))];
}

function settings(text: string): Parsed<Record<string, string>> {
  const found: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of items(text, /[\s]+/)) {
    const [, name, value] = /^([a-z][a-z0-9_]*)=(\S+)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) {
      return parse.refused(`${quoted(pair)} is not a setting; write parameter=value, such as tx_power=0`);
    }
    found[name] = value;
  }
  return parse.parsed({ ...found });
}

function yes(text: string): Parsed<boolean> {
  return mapped(word(text, ["yes"]), () => true);
}

/** All options, in the order of the command line. */
export const OPTIONS = {
  size: {
    label: "Payload, bytes",
    about: `User data of a message, ${LEAST_SIZE} to ${MOST_SIZE} bytes. Empty: ${USUAL_SIZE}.`,
    example: "default: 128",
    part: (text) => mapped(parse.whole(text, LEAST_SIZE, MOST_SIZE), (size) => ({ size })),
  },
  deadline: {
    label: "Deadline",
    about: "Longest time from the trigger to the completion at the other board.",
    example: "such as 20ms",
    part: (text) => mapped(parse.duration(text, 1, LONGEST_NS), (deadline_ns) => ({ deadline_ns })),
  },
  percentile: {
    label: "Percentile, %",
    about: "Share of all messages that must meet the deadline. A lost message misses it.",
    example: "default: 99",
    part: (text) => mapped(parse.percent(text, 50, 99.99, "99"), (percentile) => ({ percentile })),
  },
  "max-loss": {
    label: "Loss, at most",
    about: "Share of all messages that may be lost, 0.01 to 50 %.",
    example: "default: 1%",
    part: (text) => mapped(parse.percent(text, 0.01, 50, "0.1%"), (value) => ({ max_loss: value / 100 })),
  },
  period: {
    label: "Period",
    about: "Time between messages. Empty: as long as each link needs.",
    example: "such as 200ms",
    part: (text) => mapped(parse.duration(text, LEAST_PERIOD_NS, LONGEST_NS), (period_ns) => ({ period_ns })),
  },
  range: {
    label: "Range",
    about: "Distance between the radios. Empty: side by side, without loss by distance.",
    example: "such as 30m",
    part: (text) => mapped(distance(text), (range) => ({ range })),
  },
  environment: {
    label: "Environment",
    about: "Propagation between the antennas, with a range.",
    example: "default: outdoor",
    part: (text) => mapped(name(text, "office"), (environment) => ({ environment })),
  },
  "places-share": {
    label: "Share of locations",
    about: "Share of simulated locations at this range that must meet the requirement, 10 to 95 %.",
    example: "default: 90%",
    part: (text) => mapped(parse.percent(text, 10, 95, "90%"), (value) => ({ places_share: value / 100 })),
  },
  neighbour: {
    label: "Neighbours",
    about: "Other transmitters on the air, separated by spaces: wifi:30%@ch6, ble:3, 802154:10%@ch18, same-link:5,10m.",
    example: "such as wifi:30%@ch6",
    part: (text) => parse.parsed({ neighbours: items(text, /[\s;]+/) }),
  },
  region: {
    label: "Region",
    about: "Region whose regulatory limits apply.",
    example: "",
    part: (text) => mapped(word(text, ["eu", "us"] as const), (region) => ({ region })),
  },
  battery: {
    label: "Battery",
    about: "Battery of the sender: a type, or a capacity such as 500mAh; CR2032@-20C in the cold.",
    example: "such as CR2032",
    part: (text) => parse.parsed({ battery: text.replace(/\s+/g, "") }),
  },
  "battery-life": {
    label: "Battery life",
    about: "Required life of the sender's battery. Battery if none is named: CR2032.",
    example: "such as 1y",
    part: (text) => mapped(parse.batteryLife(text), (battery_years) => ({ battery_years })),
  },
  rate: {
    label: "Message rate",
    about: "For current and battery life. Empty: that of the period, or one per minute.",
    example: "default: 1/min",
    part: (text) => mapped(parse.rate(text), (per_second) => ({ per_second })),
  },
  "max-charge": {
    label: "Charge, at most",
    about: "Largest charge per message at the sender.",
    example: "such as 50uC",
    part: (text) => mapped(parse.charge(text), (max_charge_nc) => ({ max_charge_nc })),
  },
  processor: {
    label: "Processor",
    about: "Processor of both boards, for their current. Empty: that of the measurement.",
    example: "such as nrf54l15-cpu",
    part: (text) => mapped(name(text, "nrf54l15-cpu"), (processor) => ({ processor })),
  },
  set: {
    label: "Settings",
    about: "Settings for all links that have these parameters, separated by spaces.",
    example: "such as tx_power=0",
    part: (text) => mapped(settings(text), (value) => ({ settings: value })),
  },
  links: {
    label: "Links",
    about: "Profiles to choose from, separated by spaces. Empty: every one with a radio.",
    example: "such as nrf24-2m espnow",
    part: (text) => parse.parsed({ links: items(text, /[\s,]+/) }),
  },
  wired: {
    label: "Include wired links",
    about: "Serial lines and Ethernet are candidates too.",
    example: "",
    part: (text) => mapped(yes(text), (wired) => ({ wired })),
  },
  trade: {
    label: "Allow unmeasured costs",
    about: "Also change settings with a cost that no criterion measures. The cost is stated.",
    example: "",
    part: (text) => mapped(yes(text), (trade) => ({ trade })),
  },
  budget: {
    label: "Work budget",
    about: "Work of the search, in seconds of one core. Links that it leaves undecided are listed.",
    example: "default: 30s",
    part: (text) => mapped(parse.duration(text, 1e8, MOST_BUDGET_S * 1e9), (ns) => ({ budget_s: ns / 1e9 })),
  },
  seed: {
    label: "Random seed",
    about: "The same seed gives the same answer.",
    example: "default: 1",
    part: (text) => mapped(parse.whole(text, 0, MOST_SEED), (seed) => ({ seed })),
  },
} satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;
export const NAMES = Object.keys(OPTIONS) as OptionName[];

/** Options without effect unless another one is given, as on the command line. */
const NEEDS: readonly (readonly [OptionName, readonly OptionName[], string])[] = [
  ["environment", ["range"], "has no effect without a range, such as 30m"],
  ["places-share", ["range"], "has no effect without a range, such as 30m"],
  ["rate", ["battery", "battery-life"], "has no effect without a battery or a battery life, such as 1y"],
];

function distance(text: string): Parsed<string> {
  const value = text.replace(/\s+/g, "");
  return /^(\d+\.?\d*|\.\d+)(m|km)$/.test(value)
    ? parse.parsed(value)
    : parse.refused(`${quoted(text)} is not a distance; write a number and m or km, such as 30m`);
}

function name(text: string, example: string): Parsed<string> {
  const value = text.trim();
  return /^[a-z0-9-]{1,40}$/.test(value)
    ? parse.parsed(value)
    : parse.refused(`${quoted(text)} is not a name; write one such as ${example}`);
}

/** The question of a requirement, or the error of each option. */
export interface Read {
  readonly question: Recommend | undefined;
  readonly errors: ReadonlyMap<OptionName, string>;
}

/** Reads a requirement. Never throws. */
export function readRequirement(given: Requirement): Read {
  const errors = new Map<OptionName, string>();
  const question: Recommend = { question: "recommend", size: USUAL_SIZE, deadline_ns: 0 };
  for (const option of NAMES) {
    const text = given[option].trim();
    if (!text) continue;
    const part = OPTIONS[option].part(text);
    if (part.ok) Object.assign(question, part.value);
    else errors.set(option, part.error);
  }
  if (!given.deadline.trim()) errors.set("deadline", "a deadline is required; write one such as 20ms");
  for (const [option, needs, why] of NEEDS) {
    if (given[option].trim() && !needs.some((one) => given[one].trim())) errors.set(option, why);
  }
  return { question: errors.size ? undefined : question, errors };
}

/** Longest text of an option in an address. */
const LONGEST = 400;

/** An option in the address. A text that its parser refuses is dropped, with a message. */
function field(option: OptionName): Field<string> {
  return {
    standard: "",
    read(texts) {
      const text = texts.join(" ").trim();
      if (text.length > LONGEST || /[\p{Cc}\p{Cs}\p{Cf}]/u.test(text)) {
        throw new Problem(`is ${quoted(text)}; it must be at most ${LONGEST} printable characters`);
      }
      if (!text) return "";
      const part = OPTIONS[option].part(text);
      if (!part.ok) throw new Problem(`dropped: ${part.error}`);
      return text;
    },
    write: (value) => (value.trim() ? [value.trim()] : []),
  };
}

/** The requirement in the address, under the names of the options. */
export const FIELDS = Object.fromEntries(NAMES.map((option) => [option, field(option)])) as Fields<Requirement>;

/** The requirement without any option. */
export const EMPTY = Object.fromEntries(NAMES.map((option) => [option, ""])) as Requirement;
