// A packet as slices: their positions on the axis, and the names for which there is room. Pure, for tests.

import type { answers } from "../core/questions.ts";

export type Kind = answers.SliceClass;

/** Kinds of activity in the order of the legend, with their meaning: as in python/airlag/views/pages/theme.py. */
export const MEANING: Readonly<Record<Kind, string>> = {
  fixture: "measurement fixture",
  medium: "on the medium",
  answer: "acknowledgement",
  radio: "radio ramp-up, turnaround",
  bus: "bus",
  work: "processor",
  wait: "waiting",
  other: "not recorded",
};

export interface Slice {
  readonly name: string;
  readonly kind: Kind;
  readonly begin_ns: number;
  readonly end_ns: number;
}

/** The parts of a latency, one after the other from 0. */
export function slicesOf(parts: readonly answers.Part[]): Slice[] {
  let begin_ns = 0;
  return parts.map(({ name, class: kind, ns }) => {
    const slice = { name, kind, begin_ns, end_ns: begin_ns + ns };
    begin_ns = slice.end_ns;
    return slice;
  });
}

/** A name of a slice: within it, or above it with a line to its middle. */
export interface PlacedName {
  readonly text: string;
  readonly kind: Kind;
  readonly inside: boolean;
  /** Middle of the slice, and place of the text, px. */
  readonly middle: number;
  readonly at: number;
}

/** Narrowest slice with a name, distance between names that stand obliquely, px; their angle, degrees. */
const NARROWEST = 3;
const APART = 18;
export const STEEP = 40;

/**
 * Places names so that none collide: within a slice if it is wide enough, otherwise above the first slice of a name.
 * A name for which there is no room is left out; the colour of its kind is in the legend.
 */
export function placedNames(
  slices: readonly Slice[],
  place: (ns: number) => number,
  right: number,
  width: (text: string) => number,
): PlacedName[] {
  const found: PlacedName[] = [];
  const named = new Set<string>();
  let free = -Infinity;
  for (const { name, kind, begin_ns, end_ns } of slices) {
    const [begin, end] = [place(begin_ns), place(end_ns)];
    const middle = (begin + end) / 2;
    const wide = width(name);
    if (end - begin >= wide + 8) {
      named.add(name);
      found.push({ text: name, kind, inside: true, middle, at: middle });
    }
  }
  for (const { name, kind, begin_ns, end_ns } of slices) {
    const [begin, end] = [place(begin_ns), place(end_ns)];
    if (end - begin < NARROWEST || named.has(name)) continue;
    const middle = (begin + end) / 2;
    const at = Math.max(middle, free);
    if (at + Math.cos((STEEP * Math.PI) / 180) * width(name) > right) continue;
    named.add(name);
    free = at + APART;
    found.push({ text: name, kind, inside: false, middle, at });
  }
  return found;
}

/** The slice at a time, by index; the nearest one beyond the ends. */
export function sliceAt(slices: readonly Slice[], ns: number): number {
  const found = slices.findIndex((one) => one.end_ns > ns);
  return found < 0 ? slices.length - 1 : found;
}
