// Transfers of a capture for charts: times, latencies, and the extremes of any range in few steps. Pure.

import { inTurns } from "./turns.ts";

/** Transfers in the order of their triggers. Times in ns on the clock of the capture. */
export interface Transfers {
  readonly trigger_ns: Float64Array;
  readonly completion_ns: Float64Array;
  /** NaN without a completion. */
  readonly latency_ns: Float64Array;
  /** Indices of the transfers without a completion, ascending. */
  readonly missing: Uint32Array;
  readonly extremes: Extremes;
}

/** Smallest and largest latency of blocks, in levels of `BLOCK` times the size of the level before. */
export interface Extremes {
  readonly levels: readonly { readonly low: Float64Array; readonly high: Float64Array }[];
}

/** Number of entries of a block. */
const BLOCK = 64;

/** Arranges the arrays of an answer, in turns. */
export async function transfersOf(trigger_ns: Float64Array, completion_ns: Float64Array): Promise<Transfers> {
  const n = trigger_ns.length;
  const latency_ns = new Float64Array(n);
  let lost = 0;
  await inTurns(n, (from, to) => {
    for (let at = from; at < to; at++) {
      const latency = (completion_ns[at] as number) - (trigger_ns[at] as number);
      latency_ns[at] = latency;
      if (latency !== latency) lost++;
    }
  });
  const missing = new Uint32Array(lost);
  let next = 0;
  await inTurns(n, (from, to) => {
    for (let at = from; at < to; at++) if (Number.isNaN(latency_ns[at])) missing[next++] = at;
  });
  return { trigger_ns, completion_ns, latency_ns, missing, extremes: await extremesOf(latency_ns) };
}

/** Latencies of a table, one per row, with the index of the row in place of a time. */
export async function transfersOfTable(latency_ns: Float64Array): Promise<Transfers> {
  const trigger_ns = Float64Array.from(latency_ns, (_, at) => at);
  const extremes = await extremesOf(latency_ns);
  return { trigger_ns, completion_ns: new Float64Array(0), latency_ns, missing: new Uint32Array(0), extremes };
}

async function extremesOf(values: Float64Array): Promise<Extremes> {
  const levels: { low: Float64Array; high: Float64Array }[] = [];
  let low = values;
  let high = values;
  while (low.length > BLOCK) {
    const size = Math.ceil(low.length / BLOCK);
    const next = { low: new Float64Array(size).fill(Infinity), high: new Float64Array(size).fill(-Infinity) };
    await inTurns(low.length, (from, to) => {
      for (let at = from; at < to; at++) {
        const block = (at / BLOCK) | 0;
        // A comparison with NaN is false, so lost transfers are omitted.
        if ((low[at] as number) < (next.low[block] as number)) next.low[block] = low[at] as number;
        if ((high[at] as number) > (next.high[block] as number)) next.high[block] = high[at] as number;
      }
    });
    levels.push(next);
    ({ low, high } = next);
  }
  return { levels };
}

/** Smallest and largest latency of the transfers from `from` to below `to`; undefined if none completed. */
export function extremesIn({ latency_ns, extremes }: Transfers, from: number, to: number): [number, number] | undefined {
  let low = Infinity;
  let high = -Infinity;
  const add = (one: number, other: number): void => {
    if (one < low) low = one;
    if (other > high) high = other;
  };
  let at = from;
  while (at < to) {
    // The largest block that begins here and ends within the range.
    let size = 1;
    let level = -1;
    while (level + 1 < extremes.levels.length && at % (size * BLOCK) === 0 && at + size * BLOCK <= to) {
      size *= BLOCK;
      level++;
    }
    if (level < 0) add(latency_ns[at] as number, latency_ns[at] as number);
    else add(extremes.levels[level]?.low[at / size] as number, extremes.levels[level]?.high[at / size] as number);
    at += size;
  }
  return low <= high ? [low, high] : undefined;
}

/** Index of the first value that is not below `value`, in values that ascend from `from` to below `to`. */
export function lowerBound(values: ArrayLike<number>, value: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Indices of the transfers whose trigger lies from `from_ns` to `to_ns`: first, and one after the last. */
export function within({ trigger_ns }: Transfers, from_ns: number, to_ns: number): [number, number] {
  return [lowerBound(trigger_ns, from_ns), lowerBound(trigger_ns, nextUp(to_ns))];
}

/** The next larger number, to include the end of a range. Times are whole nanoseconds. */
function nextUp(value: number): number {
  return Math.floor(value) + 1;
}

/** Number of transfers without a completion from index `from` to below `to`. */
export function missingIn({ missing }: Transfers, from: number, to: number): number {
  return lowerBound(missing, to) - lowerBound(missing, from);
}
