// Draws the visible part of a capture on a canvas: latency over time, findings, and the levels of both channels.
//
// Each part takes some steps per column of the picture, regardless of the number of edges.

import { inUnit, plainNumber, timeUnit, TIMES, type Unit } from "../amounts/format.ts";
import { linear, logarithmic, roundValues, type Scale } from "../charts/scale.ts";
import type { Edges } from "../core/client.ts";
import { ABSENT, BUSY, columnsOf, HIGH } from "./edges.ts";
import type { Places } from "./places.ts";
import { scatter } from "./scatter.ts";
import { extremesIn, lowerBound, within, type Transfers } from "./transfers.ts";
import type { Span } from "./viewport.ts";

export interface Picture {
  readonly transfers: Transfers;
  /** Trigger and completion as the pairing uses them. Empty without edges. */
  readonly channels: readonly Edges[];
  /** Findings that have places, with their numbers in the list. */
  readonly findings: readonly { readonly number: number; readonly places: Places }[];
  readonly scale: "linear" | "log";
  /** Whether the axis counts the rows of a table. */
  readonly rows: boolean;
}

/** Colours of the page. */
export interface Colours {
  readonly ink: string;
  readonly quiet: string;
  readonly grid: string;
  readonly paper: string;
  readonly mark: string;
  readonly bar: string;
  readonly lost: string;
  readonly cross: string;
  readonly second: string;
}

/** Dimensions of the picture, px. */
const LEFT = 66;
const RIGHT = 12;
const TOP = 22;
const BAND = 20;
const TALL = 210;
const ROW = 20;
const LANE = 30;
const NAME = 22;
const JOIN = 32;
const AXIS = 42;

/**
 * Largest number of transfers drawn as squares, and largest number of dots. With more transfers, each column shows
 * its extremes.
 */
const MOST_SQUARES = 1500;
const MOST_DOTS = 20_000;
/** Largest number of pairs whose edges are joined. */
const MOST_JOINED = 250;
const FONT = '12px "Liberation Sans", Arial, Helvetica, sans-serif';

export interface Layout {
  readonly left: number;
  readonly right: number;
  readonly band: number;
  readonly top: number;
  readonly bottom: number;
  readonly strip: number;
  readonly lanes: readonly number[];
  readonly axis: number;
  readonly height: number;
}

/** Position of each part of the picture. */
export function layoutOf(picture: Picture, width: number): Layout {
  const top = TOP + (picture.transfers.missing.length ? BAND : 0);
  const bottom = top + TALL;
  const strip = bottom + 10;
  let y = strip + picture.findings.length * ROW;
  const lanes = picture.channels.map((_, nth) => {
    const at = y + (nth ? JOIN : 6) + NAME;
    y = at + LANE;
    return at;
  });
  const axis = y + 8;
  return { left: LEFT, right: width - RIGHT, band: TOP, top, bottom, strip, lanes, axis, height: axis + AXIS };
}

/** Draws the picture. `cursor` is an instant to mark, and a transfer. */
export function draw(
  context: CanvasRenderingContext2D, picture: Picture, layout: Layout, span: Span, colours: Colours,
  cursor?: { readonly at: number; readonly transfer: number | undefined },
): void {
  const { left, right, axis, height } = layout;
  context.clearRect(0, 0, right + RIGHT, height);
  context.font = FONT;
  context.lineWidth = 1;
  const x = linear([span.from, span.to], [left, right]);
  timeAxis(context, picture, layout, x, span, colours);
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, axis);
  context.clip();
  strips(context, picture, layout, x, span, colours);
  context.restore();
  const y = latencies(context, picture, layout, x, span, colours);
  context.save();
  context.beginPath();
  context.rect(left, layout.bottom, right - left, axis - layout.bottom);
  context.clip();
  lanes(context, picture, layout, x, span, colours);
  context.restore();
  numbers(context, picture, layout, colours);
  if (cursor) mark(context, picture, layout, x, y, colours, cursor);
}

/** Vertical scale of the visible latencies. */
function latencyScale({ transfers, scale }: Picture, { top, bottom }: Layout, first: number, end: number): Scale {
  const [low, high] = extremesIn(transfers, first, end) ?? extremesIn(transfers, 0, transfers.latency_ns.length) ?? [0, 1e6];
  const place = [bottom, top] as const;
  if (scale === "log") {
    const [first, last] = [Math.max(low, 1), Math.max(high, 1)];
    const margin = (last / first) ** 0.06;
    return logarithmic(margin > 1 ? [first / margin, last * margin] : [first / 1.02, last * 1.02], place);
  }
  const room = (high - low) * 0.06 || Math.abs(low) * 0.02 || 1;
  return linear([Math.max(low - room, 0), high + room], place);
}

function latencies(context: CanvasRenderingContext2D, picture: Picture, layout: Layout, x: Scale, span: Span, colours: Colours): Scale {
  const { transfers } = picture;
  const { left, right, top, bottom, band } = layout;
  const [first, end] = within(transfers, span.from, span.to);
  const y = latencyScale(picture, layout, first, end);
  const unit = timeUnit(y.domain);
  const inUnitScale = y.domain.map((ns) => ns / unit.size) as [number, number];
  context.fillStyle = colours.quiet;
  context.strokeStyle = colours.grid;
  context.textAlign = "right";
  const ticks = picture.scale === "log" ? logarithmic(inUnitScale, [0, 1]).ticks(5) : roundValues(...inUnitScale, 5);
  for (const tick of ticks) {
    const level = Math.round(y(tick * unit.size)) + 0.5;
    line(context, left, level, right, level);
    context.fillText(plainNumber(tick), left - 6, level + 4);
  }
  context.fillStyle = colours.ink;
  context.textAlign = "left";
  context.fillText(`latency, ${unit.name}`, 2, 12);
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, bottom + 2);
  context.clip();
  context.fillStyle = colours.mark;
  if (end - first <= MOST_SQUARES) {
    const size = end - first < 200 ? 5 : 4;
    for (let at = first; at < end; at++) dot(context, transfers, at, x, y, size);
  } else {
    const every = strideOf(end - first);
    if (every > 1) envelope(context, transfers, x, y, first, end, colours);
    // Starts at a multiple of the stride, so that the same dots are drawn while the view moves.
    scatter(context, transfers, [Math.ceil(first / every) * every, end, every], x, y, colours.mark);
  }
  context.restore();
  if (transfers.missing.length) {
    const level = band + (top - band) / 2 - 2;
    context.fillStyle = colours.lost;
    context.textAlign = "right";
    context.fillText("missing", left - 6, level + 4);
    context.save();
    context.beginPath();
    context.rect(left, 0, right - left, top);
    context.clip();
    missing(context, transfers, x, span, first, end, level, colours);
    context.restore();
  }
  return y;
}

/** Number of transfers per drawn dot. */
export function strideOf(transfers: number): number {
  return Math.max(Math.ceil(transfers / MOST_DOTS), 1);
}

function dot(context: CanvasRenderingContext2D, { trigger_ns, latency_ns }: Transfers, at: number, x: Scale, y: Scale, size: number): void {
  const latency = latency_ns[at] as number;
  if (latency === latency) context.fillRect(x(trigger_ns[at] as number) - size / 2, y(latency) - size / 2, size, size);
}

/**
 * Draws the range from the smallest to the largest latency of each column, so that the choice of dots omits no
 * extreme.
 */
function envelope(context: CanvasRenderingContext2D, transfers: Transfers, x: Scale, y: Scale, first: number, end: number, colours: Colours): void {
  context.fillStyle = colours.bar;
  const [left, right] = [LEFT, x(x.domain[1])];
  let at = first;
  for (let column = left; column < right && at < end; column++) {
    const limit = x.invert(column + 1);
    const next = column + 1 >= right ? end : lowerBound(transfers.trigger_ns, limit, at, end);
    const found = extremesIn(transfers, at, next);
    if (found) {
      const top = y(found[1]);
      context.fillRect(column, top, 1, Math.max(y(found[0]) - top, 1));
    }
    at = next;
  }
}

/** Crosses of transfers without a completion. One per column if there are many. */
function missing(
  context: CanvasRenderingContext2D, transfers: Transfers, x: Scale, span: Span, first: number, end: number,
  level: number, colours: Colours,
): void {
  context.strokeStyle = colours.cross;
  context.lineWidth = 1.8;
  context.beginPath();
  const stop = lowerBound(transfers.missing, end);
  let last = -Infinity;
  for (let nth = lowerBound(transfers.missing, first); nth < stop; ) {
    const time = transfers.trigger_ns[transfers.missing[nth] as number] as number;
    const place = Math.round(x(time));
    if (place > last && time >= span.from) {
      context.moveTo(place - 4, level - 4);
      context.lineTo(place + 4, level + 4);
      context.moveTo(place - 4, level + 4);
      context.lineTo(place + 4, level - 4);
      last = place;
    }
    // Continues at the first transfer right of this column.
    const beyond = lowerBound(transfers.trigger_ns, Math.floor(x.invert(place + 1)) + 1);
    nth = Math.max(nth + 1, lowerBound(transfers.missing, beyond));
  }
  context.stroke();
  context.lineWidth = 1;
}

/** A row of marks for each finding. */
function strips(context: CanvasRenderingContext2D, picture: Picture, layout: Layout, x: Scale, span: Span, colours: Colours): void {
  picture.findings.forEach(({ places }, nth) => {
    const middle = layout.strip + nth * ROW + ROW / 2;
    context.strokeStyle = colours.grid;
    line(context, layout.left, middle, layout.right, middle);
    context.fillStyle = colours.second;
    for (const [from, to] of places.spans_ns) {
      const begin = x(from);
      context.fillRect(begin - 2, middle - 4, Math.max(x(to) - begin + 4, 4), 8);
    }
    let last = -Infinity;
    context.beginPath();
    for (const time of places.instants_ns) {
      const place = Math.round(x(time));
      // One mark per column.
      if (time < span.from || time > span.to || place === last) continue;
      last = place;
      context.moveTo(place, middle - 6);
      context.lineTo(place + 5, middle + 5);
      context.lineTo(place - 5, middle + 5);
    }
    context.fill();
  });
}

/** Numbers of the findings, left of their rows, and names of the channels. */
function numbers(context: CanvasRenderingContext2D, { findings, channels }: Picture, { left, strip, lanes }: Layout, colours: Colours): void {
  context.textAlign = "right";
  context.fillStyle = colours.ink;
  findings.forEach(({ number }, nth) => context.fillText(`finding ${number}`, left - 6, strip + nth * ROW + ROW / 2 + 4));
  context.textAlign = "left";
  channels.forEach(({ name }, nth) => {
    const role = nth ? "completion" : "trigger";
    const level = (lanes[nth] as number) - 8;
    context.fillText(`${role}: ${name.length > 40 ? `${name.slice(0, 40)}…` : name}`, 2, level);
  });
  context.textAlign = "right";
  context.fillStyle = colours.quiet;
  for (const at of lanes) {
    context.fillText("high", left - 6, at + 9);
    context.fillText("low", left - 6, at + LANE + 2);
  }
}

/** Levels of the channels, with the paired edges joined where there is room to distinguish them. */
function lanes(context: CanvasRenderingContext2D, picture: Picture, layout: Layout, x: Scale, span: Span, colours: Colours): void {
  const columns = Math.max(Math.floor(layout.right - layout.left), 1);
  picture.channels.forEach((edges, nth) => {
    const at = layout.lanes[nth] as number;
    const states = columnsOf(edges, span.from, span.to, columns);
    context.fillStyle = nth ? colours.second : colours.mark;
    for (let column = 0; column < columns; ) {
      const state = states[column] as number;
      let end = column + 1;
      while (end < columns && states[end] === state) end++;
      const from = layout.left + column;
      if (state === BUSY) context.fillRect(from, at, Math.max(end - column, 1.5), LANE);
      else if (state !== ABSENT) context.fillRect(from, state === HIGH ? at : at + LANE - 1.5, end - column + 1, 1.5);
      column = end;
    }
  });
  if (picture.channels.length === 2) joined(context, picture, layout, x, span, colours);
}

function joined(context: CanvasRenderingContext2D, { transfers }: Picture, layout: Layout, x: Scale, span: Span, colours: Colours): void {
  const [first, end] = within(transfers, span.from, span.to);
  if (end - first > MOST_JOINED) return;
  const [above, below] = [(layout.lanes[0] as number) + LANE, layout.lanes[1] as number];
  context.strokeStyle = colours.quiet;
  context.textAlign = "center";
  let free = -Infinity;
  // Transfers that began before the view may end within it.
  for (let at = Math.max(first - 20, 0); at < end; at++) {
    const [trigger, completion] = [transfers.trigger_ns[at] as number, transfers.completion_ns[at] as number];
    if (!(completion >= span.from)) continue;
    const [from, to] = [x(trigger), x(completion)];
    context.beginPath();
    context.moveTo(from, above);
    context.lineTo(to, below);
    context.stroke();
    const text = inUnit(completion - trigger, timeUnit([completion - trigger]));
    const half = context.measureText(text).width / 2;
    const middle = Math.min(Math.max((from + to) / 2, layout.left + half + 2), layout.right - half - 2);
    if (to - from < 2 * half + 8 || middle - half < free) continue;
    free = middle + half + 8;
    const level = (above + below) / 2 + 4;
    context.fillStyle = colours.paper;
    context.fillRect(middle - half - 3, level - 11, 2 * half + 6, 15);
    context.fillStyle = colours.ink;
    context.fillText(text, middle, level);
  }
}

/** Unit of an axis over a span, and the instant from which it counts, so that ticks stay short. */
export function axisOf(span: Span): { readonly unit: Unit; readonly origin: number } {
  const width = span.to - span.from;
  const unit = TIMES.findLast((one) => width >= one.size) ?? (TIMES[0] as Unit);
  const step = 1000 * unit.size;
  const origin = unit === TIMES[3] ? 0 : Math.floor(span.from / step) * step;
  return { unit, origin };
}

function timeAxis(context: CanvasRenderingContext2D, picture: Picture, { left, right, top, axis }: Layout, x: Scale, span: Span, colours: Colours): void {
  const { unit, origin } = picture.rows ? { unit: { name: "", size: 1 }, origin: 0 } : axisOf(span);
  const ticks = roundValues((span.from - origin) / unit.size, (span.to - origin) / unit.size, (right - left) / 90);
  context.strokeStyle = colours.grid;
  context.fillStyle = colours.quiet;
  context.textAlign = "center";
  for (const tick of ticks) {
    const place = Math.round(x(tick * unit.size + origin)) + 0.5;
    line(context, place, top, place, axis);
    const half = context.measureText(plainNumber(tick)).width / 2;
    if (place + half <= right + RIGHT) context.fillText(plainNumber(tick), place, axis + 14);
  }
  context.strokeStyle = colours.quiet;
  line(context, left, axis + 0.5, right, axis + 0.5);
  context.fillStyle = colours.ink;
  context.textAlign = "right";
  const from = origin ? ` after ${plainNumber(origin / 1e9)} s` : "";
  context.fillText(picture.rows ? "row of the table" : `time, ${unit.name}${from}`, right, axis + 32);
}

/** The cursor, and the transfer nearest to it. */
function mark(
  context: CanvasRenderingContext2D, { transfers }: Picture, { left, right, top, axis }: Layout, x: Scale, y: Scale, colours: Colours,
  { at, transfer }: { readonly at: number; readonly transfer: number | undefined },
): void {
  const place = x(at);
  context.strokeStyle = colours.quiet;
  if (place >= left && place <= right) line(context, place, top, place, axis);
  if (transfer === undefined) return;
  const latency = transfers.latency_ns[transfer] as number;
  const trigger = x(transfers.trigger_ns[transfer] as number);
  if (Number.isNaN(latency) || trigger < left || trigger > right) return;
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(trigger, y(latency), 6, 0, 2 * Math.PI);
  context.stroke();
  context.lineWidth = 1;
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
