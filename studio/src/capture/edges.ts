// Levels of a channel per column of a picture, in a few steps per column for any number of edges. Pure.

import type { Edges } from "../core/client.ts";
import { lowerBound } from "./transfers.ts";

/** Content of a column of a picture: a level, edges within the column, or nothing recorded. */
export const LOW = 0;
export const HIGH = 1;
export const BUSY = 2;
export const ABSENT = 3;

/** The state of each of `columns` equal parts from `from_ns` to `to_ns`. */
export function columnsOf({ change_ns, level }: Edges, from_ns: number, to_ns: number, columns: number): Uint8Array {
  const states = new Uint8Array(columns);
  const width = (to_ns - from_ns) / columns;
  let at = lowerBound(change_ns, from_ns);
  for (let column = 0; column < columns; column++) {
    const end = column + 1 === columns ? to_ns : from_ns + (column + 1) * width;
    const next = lowerBound(change_ns, end, at);
    // The level before the first change in the column.
    const before = at > 0 ? (level[at - 1] as number) : -1;
    if (next === at) states[column] = before < 0 ? ABSENT : before;
    else states[column] = BUSY;
    at = next;
  }
  return states;
}

/** Times of the rising edges of a channel as the pairing uses it: inverted if it is active low. */
export function* risesOf({ change_ns, level }: Edges): Generator<number> {
  for (let at = 1; at < change_ns.length; at++) {
    if (level[at] === 1 && level[at - 1] === 0) yield change_ns[at] as number;
  }
}

/** First and last instant of all channels, ns. */
export function extentOf(all: readonly Edges[]): [number, number] | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (const { change_ns } of all) {
    if (!change_ns.length) continue;
    low = Math.min(low, change_ns[0] as number);
    high = Math.max(high, change_ns[change_ns.length - 1] as number);
  }
  return low <= high ? [low, high] : undefined;
}
