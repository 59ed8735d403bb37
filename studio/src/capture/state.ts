// The state of the view: how a capture is paired and shown. The file itself is not in an address.

import * as parse from "../amounts/parse.ts";
import type { Question } from "../core/questions.ts";
import { shellLine } from "../shell.ts";
import * as field from "../state.ts";
import type { Span } from "./viewport.ts";

export const SCALES = ["linear", "log"] as const;
/** Units of a table of latencies. Empty: that of its header, else s. */
export const UNITS = ["", "ns", "us", "ms", "s"] as const;

export interface State {
  /** Channels by name, or by index from 0. Empty: the first free channel. */
  readonly trigger: string;
  readonly completion: string;
  /** Channels that are active low. */
  readonly invert: readonly string[];
  /** Durations as on the command line. Empty: the default. */
  readonly minlow: string;
  readonly overlap: string;
  readonly deadline: string;
  /** Options of a table of latencies. */
  readonly column: string;
  readonly unit: (typeof UNITS)[number];
  readonly scale: (typeof SCALES)[number];
  /** Visible part, ns on the clock of the capture, or rows of a table. Null: the whole file. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Longest name of a channel in an address, characters. */
const LONGEST_NAME = 64;
/** Bounds of durations, ns: one nanosecond, and a day. */
const DAY_NS = 86_400e9;
/** Latest instant of a capture, ns: the largest integer that a number represents exactly. */
const LAST_NS = Number.MAX_SAFE_INTEGER;

function durationText(low_ns: number): field.Field<string> {
  const base = field.text("", 40);
  return {
    ...base,
    read(texts) {
      const text = base.read(texts).trim();
      const found = text ? parse.duration(text, low_ns, DAY_NS) : parse.parsed(0);
      if (!found.ok) throw new field.Problem(`dropped: ${found.error}`);
      return text;
    },
  };
}

/** A list of channels. */
function channels(): field.Field<readonly string[]> {
  const one = field.text("", LONGEST_NAME);
  return {
    standard: [],
    read(texts) {
      if (texts.length > 16) throw new field.Problem(`occurs ${texts.length} times; at most 16 are possible`);
      return [...new Set(texts.map((text) => one.read([text])).filter(Boolean))];
    },
    write: (value) => value,
  };
}

export const FIELDS: field.Fields<State> = {
  trigger: field.text("", LONGEST_NAME),
  completion: field.text("", LONGEST_NAME),
  invert: channels(),
  minlow: durationText(0),
  overlap: durationText(0),
  deadline: durationText(1),
  column: field.text("", LONGEST_NAME),
  unit: field.choice("", UNITS),
  scale: field.choice("linear", SCALES),
  from: field.real(null, -LAST_NS, LAST_NS),
  to: field.real(null, -LAST_NS, LAST_NS),
};

/** Visible part of a state, if it has one. */
export function visible({ from, to }: State): Span | undefined {
  return from !== null && to !== null && to > from ? { from, to } : undefined;
}

/** The state with another visible part, to the nanosecond. */
export function looking(state: State, span: Span | undefined): State {
  const [from, to] = span ? [Math.floor(span.from), Math.ceil(span.to)] : [null, null];
  return { ...state, from, to };
}

/** A duration of the state, ns. */
function duration_ns(text: string): number | undefined {
  const found = text ? parse.duration(text, 0, DAY_NS) : undefined;
  return found?.ok ? found.value : undefined;
}

type Analyze = Extract<Question, { question: "analyze" }>;

/** The question of `airlag analyze` with the same options. */
export function analyzeQuestion(state: State, source: string): Analyze {
  const { trigger, completion, invert, column, unit } = state;
  const deadline_ns = duration_ns(state.deadline);
  return {
    question: "analyze",
    source,
    ...pairing(state),
    ...(trigger && { trigger }),
    ...(completion && { completion }),
    ...(invert.length && { invert: [...invert] }),
    ...(column && { column }),
    ...(unit && { unit }),
    ...(deadline_ns !== undefined && { deadline_ns }),
  };
}

/** Options of pairing, which the questions about matching have too. */
export function pairing(state: State): { min_low_ns?: number; overlap_ns?: number } {
  const min_low_ns = duration_ns(state.minlow);
  // Zero is the default of the command line: until the next trigger.
  const overlap_ns = duration_ns(state.overlap) || undefined;
  return { ...(min_low_ns !== undefined && { min_low_ns }), ...(overlap_ns !== undefined && { overlap_ns }) };
}

function pairingWords(state: State): string[] {
  const { trigger, completion, invert, minlow, overlap } = state;
  return [
    ...(trigger ? ["--trigger", trigger] : []),
    ...(completion ? ["--completion", completion] : []),
    ...invert.flatMap((one) => ["--invert", one]),
    ...(minlow ? ["--min-low", compact(minlow)] : []),
    ...(overlap ? ["--overlap", compact(overlap)] : []),
  ];
}

/** The command line that prints the same analysis. */
export function analyzeLine(state: State, file: string): string {
  const { column, unit, deadline } = state;
  return shellLine([
    "airlag", "analyze", path(file), ...pairingWords(state),
    ...(column ? ["--column", column] : []),
    ...(unit ? ["--unit", unit] : []),
    ...(deadline ? ["--deadline", compact(deadline)] : []),
    "--json",
  ]);
}

/** The command line that prints the same ranking. */
export function matchLine(state: State, file: string, size: number | null): string {
  return shellLine(["airlag", "match", path(file), ...pairingWords(state), ...(size === null ? [] : ["--size", String(size)])]);
}

/** A file name that neither a shell nor an option parser misinterprets. */
function path(file: string): string {
  const plain = file.replace(/[\u0000-\u001f\u007f]/g, "?");
  return plain.startsWith("-") || plain === "" ? `./${plain}` : plain;
}

function compact(text: string): string {
  return text.replace(/\s+/g, "");
}

/** The payload that a file name states, such as 128 of `run-128B.csv`: a suggestion that the user can change. */
export function namedSize(file: string): number | null {
  const [, digits] = /(?:^|[^0-9A-Za-z])([1-9]\d{0,4})B(?![0-9A-Za-z])/.exec(file) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Key of a channel in the state: its name, or its index where the name is not a safe key. */
export function channelKey(name: string, position: number, all: readonly string[]): string {
  const once = all.filter((one) => one === name).length === 1;
  const plain = name.length > 0 && name.length <= LONGEST_NAME && !/^\d+$|[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Surrogate}]/u.test(name);
  return once && plain && name.trim() === name ? name : String(position);
}
