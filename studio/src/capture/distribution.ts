// Distribution of the latencies, with that of a bench over it.

import { count, inUnit, percent, timeUnit } from "../amounts/format.ts";
import { axisBelow, axisLeft, picture, round, widestTick, type Frame } from "../charts/axes.ts";
import { boxes } from "../charts/marks.ts";
import { linear, logarithmic, type Scale } from "../charts/scale.ts";
import type { answers } from "../core/questions.ts";
import { html, svg } from "../elements.ts";
import { aboutChart, sentence } from "../explain/explanation.ts";
import { chartOf, missingOf } from "./explain.ts";
import { inTurns } from "./turns.ts";
import { extremesIn, type Transfers } from "./transfers.ts";

/** Latencies of one run. NaN is a transfer without a completion. */
export interface Sample {
  readonly name: string;
  readonly latency_ns: Float64Array;
  /** Number of transfers without a completion. */
  readonly missing: number;
  /** Smallest and largest latency; undefined if no transfer completed. */
  readonly range: readonly [number, number] | undefined;
  readonly quantiles: answers.Latency | null;
}

/** The latencies of transfers as a sample. */
export function sampleOf(name: string, transfers: Transfers, quantiles: answers.Latency | null): Sample {
  const { latency_ns, missing } = transfers;
  return { name, latency_ns, missing: missing.length, range: extremesIn(transfers, 0, latency_ns.length), quantiles };
}

const TALL = 200;
const TOP = 34;
/** Width of a bin, px. */
const BIN = 6;
const MARKED = ["p50", "p95", "p99"] as const;

/** Draws a capture as bars and, if there is one, a bench as an outline. Undefined once cancelled. */
export async function distribution(
  captured: Sample, bench: Sample | undefined, scale: "linear" | "log", width: number, isCancelled: () => boolean,
): Promise<HTMLElement | undefined> {
  const all = bench ? [captured, bench] : [captured];
  const range = rangeOf(all, scale);
  if (!range) return html("p", { class: "lost" }, "No transfer completed, so there is no distribution.");
  const unit = timeUnit(range);
  const domain = range.map((ns) => ns / unit.size) as [number, number];
  const place = (from: number, to: number): Scale => (scale === "log" ? logarithmic : linear)(domain, [from, to]);
  const bins = Math.max(Math.floor((width - 70) / BIN), 10);
  const shares: Float64Array[] = [];
  for (const one of all) shares.push(await binnedShares(one.latency_ns, place(0, bins), bins, unit.size, isCancelled));
  if (isCancelled()) return undefined;
  const most = Math.max(1e-9, ...shares.flatMap((one) => [...one]));
  const y = linear([0, most * 108], [TOP + TALL, TOP]);
  const left = Math.ceil(widestTick(y, TALL)) + 14;
  const frame: Frame = { width, height: TOP + TALL + 38, left, right: width - 12, top: TOP, bottom: TOP + TALL };
  const x = place(left, frame.right);
  const chart = picture(width, frame.height, `Distribution of the latencies. ${all.map(inWords).join(" ")}`);
  chart.append(axisLeft(frame, { scale: y, title: "share of the triggers in a bin, %" }), axisBelow(frame, { scale: x, title: `latency, ${unit.name}` }));
  const wide = (frame.right - left) / bins;
  const [bars, outline] = shares;
  if (bars) chart.append(svg("path", { class: "captured-bars", d: boxes(barsOf(bars, left, wide, y, frame.bottom)) }));
  quantileLines(chart, captured, x, unit.size, frame);
  if (outline) chart.append(svg("path", { class: "bench-outline", d: steps(outline, left, wide, y, frame.bottom) }));
  return html("div", {}, chart, legend(captured, bench), aboutChart("distribution", chartOf));
}

/** Range of the axis. */
function rangeOf(all: readonly Sample[], scale: "linear" | "log"): [number, number] | undefined {
  const ranges = all.flatMap(({ range }) => (range ? [range] : []));
  if (!ranges.length) return undefined;
  const low = Math.min(...ranges.map(([one]) => one));
  const high = Math.max(...ranges.map(([, one]) => one));
  if (scale === "log") {
    // A margin of the same width in px at both ends.
    const [first, last] = [Math.max(low, 1), Math.max(high, 1)];
    const margin = (last / first) ** 0.02;
    return margin > 1 ? [first / margin, last * margin] : [first / 1.02, last * 1.02];
  }
  const room = (high - low) * 0.02 || Math.abs(low) * 0.02 || 1;
  return [Math.max(low - room, 0), high + room];
}

/** Share of all triggers in each bin, so that losses lower the bars of a run that has them. */
export async function binnedShares(
  latency_ns: Float64Array, place: Scale, bins: number, unit: number, isCancelled: () => boolean = () => false,
): Promise<Float64Array> {
  const shares = new Float64Array(bins);
  await inTurns(latency_ns.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const latency = latency_ns[at] as number;
      if (latency !== latency) continue;
      const bin = Math.min(Math.max(Math.floor(place(latency / unit)), 0), bins - 1);
      shares[bin] = (shares[bin] as number) + 1;
    }
  }, isCancelled);
  return shares.map((one) => one / latency_ns.length);
}

function barsOf(shares: Float64Array, left: number, wide: number, y: Scale, bottom: number): [number, number, number, number][] {
  const bars: [number, number, number, number][] = [];
  shares.forEach((share, nth) => {
    // At least one px tall: a rare latency is still there.
    if (share) bars.push([left + nth * wide, Math.min(y(share * 100), bottom - 1), left + (nth + 1) * wide - 0.5, bottom]);
  });
  return bars;
}

function steps(shares: Float64Array, left: number, wide: number, y: Scale, bottom: number): string {
  let path = `M${round(left)} ${bottom}`;
  shares.forEach((share, nth) => {
    path += `V${round(share ? Math.min(y(share * 100), bottom - 2) : bottom)}H${round(left + (nth + 1) * wide)}`;
  });
  return `${path}V${bottom}`;
}

function quantileLines(chart: SVGElement, { quantiles }: Sample, x: Scale, unit: number, { top, bottom, right }: Frame): void {
  if (!quantiles) return;
  const texts = apart(MARKED.map((name) => x(quantiles[name] / unit)), right - 10);
  MARKED.forEach((name, nth) => {
    const at = round(x(quantiles[name] / unit));
    const [low, high] = quantiles.interval95[name];
    const ends = [low === null ? at : x(low / unit), high === null ? right : x(high / unit)] as const;
    chart.append(
      svg("path", { class: "interval", d: boxes([[ends[0], top, Math.max(ends[1], ends[0] + 1), bottom]]) }),
      svg("path", { class: "quantile", d: `M${at} ${top - 4}V${bottom}` }),
      svg("text", { class: "quantile-name", x: round(texts[nth] ?? at), y: top - 7, "text-anchor": "middle" }, name),
    );
  });
}

/** Moves ascending places apart, so that each has room for a name and none is right of `last`. */
export function apart(places: readonly number[], last: number, room = 28): number[] {
  const moved: number[] = [];
  for (const place of places) moved.push(Math.max(place, (moved.at(-1) ?? -Infinity) + room));
  let limit = last;
  for (let at = moved.length - 1; at >= 0; at--) {
    moved[at] = Math.min(moved[at] as number, limit);
    limit = (moved[at] as number) - room;
  }
  return moved;
}

function legend(captured: Sample, bench: Sample | undefined): HTMLElement {
  const item = (sample: Sample, swatch: string): HTMLElement => {
    const lost = sample.missing;
    const n = sample.latency_ns.length;
    return html("li", {}, html("i", { class: `swatch ${swatch}` }), " ", html("span", { class: "name" }, sample.name), `: ${count(n)} transfers`,
      lost ? html("span", { class: "lost" }, ...sentence(`missing ${swatch}`, () => missingOf(lost, n), `, ${count(lost)} without a completion (${percent(lost / n)})`)) : "");
  };
  return html("ul", { class: "legend" }, item(captured, "captured"), bench ? item(bench, "bench") : null,
    captured.quantiles ? html("li", {}, html("i", { class: "swatch interval-swatch" }), " 95 % confidence interval of a quantile") : null);
}

function inWords({ name, quantiles }: Sample): string {
  if (!quantiles) return `${name}.`;
  const unit = timeUnit([quantiles.p50]);
  return `${name}: ${MARKED.map((one) => `${one} ${inUnit(quantiles[one], unit)}`).join(", ")}.`;
}
