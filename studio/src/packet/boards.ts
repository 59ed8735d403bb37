// Activities of each board, each chip and the medium during one packet. Pure, for tests.

import type { RunArrays } from "../core/client.ts";
import type { answers } from "../core/questions.ts";
import type { Kind } from "./slices.ts";

/** An activity on a lane. The kind is null if no packet of the run spends its time on it, such as listening. */
export interface Activity {
  readonly name: string;
  readonly kind: Kind | null;
  /** From the trigger of the packet, ns. */
  readonly begin_ns: number;
  readonly end_ns: number;
}

export interface Lane {
  readonly name: string;
  readonly activities: readonly Activity[];
}

/** Index of the trigger of the completed transfer at a position. -1 if there is none. */
export function triggerOf(completion_ns: ArrayLike<number>, position: number): number {
  let left = position;
  for (let at = 0; at < completion_ns.length; at++) {
    if (Number.isNaN(completion_ns[at])) continue;
    if (left-- === 0) return at;
  }
  return -1;
}

/** Lanes with the activities from the trigger of a packet to its completion. */
export function lanesOf(run: RunArrays, trigger: number, items: readonly answers.Item[]): Lane[] {
  const { trigger_ns, completion_ns, track, slice, begin_ns, end_ns } = run.arrays;
  const from = trigger_ns?.[trigger] ?? NaN;
  const to = completion_ns?.[trigger] ?? NaN;
  if (!track || !slice || !begin_ns || !end_ns || !(to > from)) return [];
  const kinds = kindsOf(items);
  const lanes = run.tracks.map((name) => ({ name, activities: [] as Activity[] }));
  for (let at = 0; at < begin_ns.length; at++) {
    const begin = Math.max(begin_ns[at] ?? 0, from);
    const end = Math.min(end_ns[at] ?? 0, to);
    if (!(end > begin)) continue;
    const name = run.slices[slice[at] ?? -1] ?? "";
    const kind = kinds(name, begin === from);
    lanes[track[at] ?? -1]?.activities.push({ name, kind, begin_ns: begin - from, end_ns: end - from });
  }
  for (const lane of lanes) lane.activities.sort((a, b) => a.begin_ns - b.begin_ns || b.end_ns - a.end_ns);
  return lanes.filter((lane) => lane.activities.length);
}

/**
 * The kind of an activity by its name, as the budget of the run has it.
 *
 * One name may be of two kinds: `interrupt` at the trigger belongs to the bench, at a pin of the radio to the link.
 * The one at the trigger begins with the packet.
 */
function kindsOf(items: readonly answers.Item[]): (name: string, atTrigger: boolean) => Kind | null {
  const all = new Map<string, Kind[]>();
  for (const { name, class: kind } of items) all.set(name, [...(all.get(name) ?? []), kind]);
  return (name, atTrigger) => {
    const kinds = all.get(name) ?? [];
    const fitting = kinds.find((kind) => (kind === "fixture") === atTrigger);
    return fitting ?? kinds[0] ?? null;
  };
}
