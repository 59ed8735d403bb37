// Content of the charts of a run: points, losses, bins. Pure, for tests.

export type Point = readonly [time_s: number, latency_ns: number, index: number];

/** Messages of a run in the charts. */
export interface Messages {
  /** Of each completed message: time of the trigger, s; latency, ns; index from 0. */
  readonly points: readonly Point[];
  /** Times of the triggers of messages that did not complete, s. */
  readonly missing: readonly number[];
  /** Time of the last trigger, s. */
  readonly end_s: number;
}

/** Messages by the time of their trigger. */
export function messagesOf(trigger_ns: ArrayLike<number>, completion_ns: ArrayLike<number>): Messages {
  const points: Point[] = [];
  const missing: number[] = [];
  let end_s = 0;
  for (let at = 0; at < trigger_ns.length; at++) {
    const trigger = trigger_ns[at] ?? NaN;
    const latency = (completion_ns[at] ?? NaN) - trigger;
    const time_s = trigger / 1e9;
    if (Number.isNaN(latency)) missing.push(time_s);
    else points.push([time_s, latency, at]);
    if (time_s > end_s) end_s = time_s;
  }
  return { points, missing, end_s };
}

/** The message nearest to a place on the chart, at most `most` px away. */
export function nearest(
  points: readonly Point[], x: (s: number) => number, y: (ns: number) => number, left: number, top: number, most: number,
): Point | undefined {
  let found: Point | undefined;
  let closest = most;
  for (const point of points) {
    const distance = Math.hypot(x(point[0]) - left, y(point[1]) - top);
    if (distance <= closest) [found, closest] = [point, distance];
  }
  return found;
}

/** Number of latencies between consecutive edges. Values on the last edge are in the last bin. */
export function binned(latencies_ns: Iterable<number>, edges: readonly number[]): number[] {
  const counts = new Array<number>(Math.max(edges.length - 1, 0)).fill(0);
  for (const value of latencies_ns) {
    let low = 0;
    let high = edges.length - 1;
    if (!(value >= (edges[0] ?? Infinity) && value <= (edges[high] ?? -Infinity))) continue;
    // The last edge that is not above the value.
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((edges[middle] ?? 0) <= value) low = middle;
      else high = middle;
    }
    counts[low] = (counts[low] ?? 0) + 1;
  }
  return counts;
}

/** Lowest and highest of all values, with a margin on both sides; `margin` is a share of the distance. */
export function around(values: Iterable<number>, margin: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return [0, 1];
  const room = (high - low) * margin || Math.abs(low) * 0.02 || 1;
  return [Math.max(low - room, 0), high + room];
}

/** The same as `around`, for a logarithmic scale: the margin is a factor. Values that are not positive are left out. */
export function aroundLog(values: Iterable<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!(value > 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low / 1.15, high * 1.15] : [1, 10];
}
