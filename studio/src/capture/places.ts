// Places of each finding in a capture: transfers by index, or instants. Pure.

import type { answers } from "../core/questions.ts";
import type { Edges } from "../core/client.ts";
import { risesOf } from "./edges.ts";
import type { Transfers } from "./transfers.ts";

/** Places of a finding on the axis of time, ns: instants, or spans of several transfers. */
export interface Places {
  readonly instants_ns: readonly number[];
  readonly spans_ns: readonly (readonly [number, number])[];
  /** Description of the marks. */
  readonly words: string;
}

const NOWHERE: Places = { instants_ns: [], spans_ns: [], words: "" };

/** Largest number of marks of a finding; more would cover each other. */
const MOST = 5000;

/** Places of a finding. A finding without any is about the capture as a whole. */
export function placesOf(finding: answers.Finding, transfers: Transfers, channels: readonly Edges[]): Places {
  const { evidence } = finding;
  const { trigger_ns } = transfers;
  const value = (name: string): number => (typeof evidence[name] === "number" ? evidence[name] : NaN);
  const list = (name: string): readonly number[] => (Array.isArray(evidence[name]) ? evidence[name] : []);
  const last = trigger_ns.length - 1;
  const instants = (indices: Iterable<number>, words: string): Places => {
    const times: number[] = [];
    for (const index of indices) {
      const time = trigger_ns[index];
      if (time !== undefined) times.push(time);
      if (times.length >= MOST) break;
    }
    return { instants_ns: times, spans_ns: [], words: times.length ? words : "" };
  };
  const span = (from: number, to: number, words: string): Places => {
    const ends = [trigger_ns[Math.max(from, 0)], trigger_ns[Math.min(to, last)]] as const;
    const [begin, end] = ends;
    return begin === undefined || end === undefined ? NOWHERE : { instants_ns: [], spans_ns: [[begin, end]], words };
  };
  switch (finding.name) {
    case "lost-transfers": {
      // If there are many losses, they are not listed, and censored transfers are among the marks.
      const listed = list("indices").length === value("count");
      const each = instants(listed ? list("indices") : transfers.missing, "each trigger without a completion");
      const dead = span(value("dead_from"), last, "");
      return Number.isFinite(value("dead_from")) ? { ...each, spans_ns: dead.spans_ns } : each;
    }
    case "censored-end":
      return instants(list("indices"), "each transfer that the end of the capture cuts off");
    case "mispaired-table":
      return instants(list("rows"), "each of these rows");
    case "trend":
      return Number.isFinite(value("at_index"))
        ? instants([value("at_index")], "the transfer at which the latency changes")
        : NOWHERE;
    case "warm-up":
      return span(0, value("count") - 1, "the first transfers");
    case "period-too-short":
      return instants(shortIntervals(trigger_ns, value("service_ns")), "each trigger after too short an interval");
    case "index-pattern":
      return instants(everyNth(value("every"), value("offset"), last), "each transfer of the pattern");
    case "trigger-glitch":
      return unpaired(channels[0], trigger_ns, "each rise of the trigger that was not counted");
    case "stray-completion":
      return unpaired(channels[1], transfers.completion_ns, "each completion without a trigger");
    default:
      return NOWHERE;
  }
}

/**
 * Rising edges of a channel that are in no transfer. Both lists are traversed once, because either may have millions
 * of entries.
 */
function unpaired(edges: Edges | undefined, paired_ns: Float64Array, words: string): Places {
  if (!edges) return NOWHERE;
  const paired = ascending(paired_ns);
  const times: number[] = [];
  let at = 0;
  for (const rise of risesOf(edges)) {
    while (at < paired.length && (paired[at] as number) < rise) at++;
    if (paired[at] !== rise) times.push(rise);
    if (times.length >= MOST) break;
  }
  return { instants_ns: times, spans_ns: [], words: times.length ? words : "" };
}

/** Times in ascending order, without NaN. Only completions of overlapping transfers need to be sorted. */
function ascending(times_ns: Float64Array): Float64Array {
  const known = times_ns.filter((one) => !Number.isNaN(one));
  const sorted = known.every((one, at) => at === 0 || one >= (known[at - 1] as number));
  return sorted ? known : known.sort();
}

function* shortIntervals(trigger_ns: Float64Array, service_ns: number): Generator<number> {
  for (let at = 1; at < trigger_ns.length; at++) {
    if ((trigger_ns[at] as number) - (trigger_ns[at - 1] as number) < service_ns) yield at;
  }
}

function* everyNth(every: number, offset: number, last: number): Generator<number> {
  if (!(every >= 1 && offset >= 0)) return;
  for (let at = offset; at <= last; at += every) yield at;
}
