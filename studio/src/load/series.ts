// Answers as curves, for charts and tables. Pure, for tests.

import type { answers } from "../core/questions.ts";

/** One offered load of a link. */
export interface Place {
  readonly offered_kbps: number;
  readonly goodput_kbps: number;
  /** Latency of the delivered messages. Undefined if nothing arrived. */
  readonly p50_ns: number | undefined;
  readonly p99_ns: number | undefined;
  /** Lost messages as a share of those offered: dropped at a full queue, and lost on the link. */
  readonly lost: number;
  readonly refused: number;
  /** Whether the load is above the largest one that the link carries. */
  readonly overloaded: boolean;
  readonly queue_mean: number;
}

/** A link at its offered loads. */
export interface Curve {
  /** The answer that the curve shows. */
  readonly load: answers.Load;
  readonly link: string;
  /** Place among the links, which gives colour and mark. */
  readonly nth: number;
  readonly places: readonly Place[];
  readonly saturated_kbps: number;
  readonly ceiling_kbps: number | undefined;
  readonly knee_kbps: number | undefined;
}

/** Smallest ratio of the highest to the lowest value of an axis. */
const LEAST_WIDTH = 10;

export function curveOf(load: answers.Load, nth: number): Curve {
  const knee = load.knee_kbps ?? undefined;
  return {
    load,
    link: load.link,
    nth,
    saturated_kbps: load.goodput_kbps,
    ceiling_kbps: load.ceiling_kbps ?? undefined,
    knee_kbps: knee,
    places: load.points.map((point) => ({
      offered_kbps: point.offered_kbps,
      goodput_kbps: point.goodput_kbps,
      p50_ns: point.latency_ns?.p50,
      p99_ns: point.latency_ns?.p99,
      lost: share(point.lost, point.offered),
      refused: share(point.refused, point.offered),
      overloaded: knee !== undefined && point.offered_kbps > knee,
      queue_mean: point.queue_mean,
    })),
  };
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

/** Ends of a logarithmic axis for these values: the finite ones above 0, with room, at least a decade. */
export function logDomain(values: Iterable<number | undefined>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === undefined || !(value > 0) || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [1, LEAST_WIDTH];
  const room = Math.max(Math.sqrt((LEAST_WIDTH * low) / high), 1.15);
  return [low / room, high * room];
}

/** Upper end of a linear axis of shares from 0: a round value with room, at most 1. */
export function shareTop(curves: readonly Curve[]): number {
  const most = Math.max(0, ...curves.flatMap((curve) => curve.places.map((place) => place.lost)));
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((top) => most <= 0.9 * top) ?? 1;
}

/** Saturated goodput, ceiling and overload of a link, in one line. */
export function wordsOf(curve: Curve, kbps: (value: number) => string): string {
  const parts = [`saturated goodput ${kbps(curve.saturated_kbps)}`];
  if (curve.ceiling_kbps !== undefined) parts.push(`ceiling ${kbps(curve.ceiling_kbps)}`);
  const top = curve.places.at(-1);
  if (curve.knee_kbps !== undefined) parts.push(`carries up to ${kbps(curve.knee_kbps)}, overloaded above`);
  else if (top) parts.push(`carries every load shown, up to ${kbps(top.offered_kbps)}`);
  return parts.join(" · ");
}
