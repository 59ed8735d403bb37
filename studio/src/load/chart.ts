// Latency, goodput and loss against the offered load, on one horizontal axis.

import { axisBelow, axisLeft, picture, round, textWidth, widestTick, type Axis, type Frame } from "../charts/axes.ts";
import { crosses } from "../charts/marks.ts";
import { linear, logarithmic, type Scale } from "../charts/scale.ts";
import * as format from "../amounts/format.ts";
import { svg } from "../elements.ts";
import { logDomain, shareTop, type Curve, type Place } from "./series.ts";

/** Heights of the plots, px. */
const LATENCY = 320;
const GOODPUT = 150;
const LOST = 110;
/** Room above a plot for its title, and below the last one for the axis. */
const ABOVE = 26;
const BELOW = 42;
/** Height of a line that names the overload of a link. */
const LINE = 15;
/** Distance of the cross of a loss above its mark, px. */
const LIFT = 11;
const RADIUS = 3.6;
/** Distance of the name of an overload from its rule, px. */
const BESIDE = 8;
/** Factor by which the axis of latency ends above its values, for the crosses of losses. */
const ROOM = 1.3;

/** Marks of the links, so that colour is not the only difference. */
const MARKS: readonly ((x: number, y: number, r: number) => string)[] = [
  (x, y, r) => `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  (x, y, r) => `M${round(x - r)} ${round(y - r)}h${2 * r}v${2 * r}h${-2 * r}Z`,
  (x, y, r) => `M${round(x)} ${round(y - 1.3 * r)}L${round(x + 1.3 * r)} ${round(y)}L${round(x)} ${round(y + 1.3 * r)}L${round(x - 1.3 * r)} ${round(y)}Z`,
  (x, y, r) => `M${round(x)} ${round(y - 1.3 * r)}L${round(x + 1.2 * r)} ${round(y + r)}H${round(x - 1.2 * r)}Z`,
];

/** The mark of the nth link as a path. */
export function markOf(nth: number, x: number, y: number, radius = RADIUS): string {
  return (MARKS[nth % MARKS.length] as (typeof MARKS)[number])(x, y, radius);
}

/** The charts of these curves, `width` px wide. */
export function charts(curves: readonly Curve[], width: number): SVGSVGElement {
  const places = curves.flatMap((curve) => curve.places);
  const unit = format.timeUnit(places.flatMap((place) => place.p50_ns ?? []));
  const top = LINE * curves.filter((curve) => curve.knee_kbps !== undefined).length;
  const frame = (begin: number, height: number, left: number): Frame => ({
    width, height: 0, left, right: width - 12, top: begin + ABOVE, bottom: begin + ABOVE + height,
  });

  const latencies = logDomain(places.flatMap((place) => [place.p50_ns, place.p99_ns]));
  const goodputs = logDomain([
    ...places.map((place) => place.goodput_kbps),
    ...curves.flatMap((curve) => [curve.saturated_kbps, curve.ceiling_kbps]),
  ]);
  const [low_ns, most_ns] = latencies;
  const high_ns = most_ns * ROOM;
  const vertical = {
    latency: logarithmic([low_ns / unit.size, high_ns / unit.size], [0, 0]),
    goodput: logarithmic(goodputs, [0, 0]),
    lost: linear([0, 100 * shareTop(curves)], [0, 0]),
  };
  const left = 12 + Math.max(
    widestTick(vertical.latency, LATENCY), widestTick(vertical.goodput, GOODPUT), widestTick(vertical.lost, LOST),
  );

  const one = frame(top, LATENCY, left);
  const two = frame(one.bottom, GOODPUT, left);
  const three = frame(two.bottom, LOST, left);
  const across = logarithmic(logDomain(places.map((place) => place.offered_kbps)), [left, width - 12]);
  const up = (frame: Frame, scale: Scale, log: boolean) =>
    (log ? logarithmic : linear)(scale.domain, [frame.bottom, frame.top]);
  const scales = {
    latency: up(one, vertical.latency, true),
    goodput: up(two, vertical.goodput, true),
    lost: up(three, vertical.lost, false),
  };

  const image = picture(width, three.bottom + BELOW, labelOf(curves));
  image.append(
    ...bare(one, across, { scale: scales.latency, title: `latency, ${unit.name} (log axis): p50 solid, p99 dashed` }),
    ...bare(two, across, { scale: scales.goodput, title: "goodput, kbit/s (log axis)" }),
    axisBelow(three, { scale: across, title: "offered load, kbit/s (log axis)" }),
    axisLeft(three, titled(three, { scale: scales.lost, title: "lost, % of the offered messages" })),
  );
  let line = 0;
  for (const curve of curves) {
    const group = svg("g", { class: `curve nth${curve.nth}` });
    if (curve.knee_kbps !== undefined) group.append(...kneeOf(curve, across(curve.knee_kbps), one, three, LINE * ++line));
    const at = (scale: Scale, value: (place: Place) => number | undefined) =>
      curve.places.map((place): Spot => [across(place.offered_kbps), placed(scale, value(place))]);
    const p50 = at(scales.latency, (place) => scaled(place.p50_ns, unit.size));
    const p99 = at(scales.latency, (place) => scaled(place.p99_ns, unit.size));
    group.append(
      ...limitsOf(curve, scales.goodput, two),
      ...curveOf(curve.nth, p50, "p50"),
      ...curveOf(curve.nth, p99, "p99"),
      ...curveOf(curve.nth, at(scales.goodput, (place) => place.goodput_kbps), "p50"),
      ...curveOf(curve.nth, at(scales.lost, (place) => 100 * place.lost), "p50"),
    );
    const lost = p99.flatMap(([x, y], nth): [number, number][] =>
      (curve.places[nth]?.lost ?? 0) > 0 ? [[x, (y ?? one.bottom) - LIFT]] : []);
    image.append(group, svg("path", { class: "lost", d: crosses(lost, 3.5) }));
  }
  return image;
}

/** A place on the page. Without a value it has no height. */
type Spot = readonly [x: number, y: number | undefined];

function scaled(value: number | undefined, size: number): number | undefined {
  return value === undefined ? undefined : value / size;
}

function placed(scale: Scale, value: number | undefined): number | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : scale(value);
}

/** Axes of a plot above another: the grid of the horizontal axis without its text. */
function bare(frame: Frame, across: Scale, axis: Axis): SVGElement[] {
  const below = axisBelow(frame, { scale: across, title: "" });
  for (const text of below.querySelectorAll("text")) text.remove();
  return [below, axisLeft(frame, titled(frame, axis))];
}

/** An axis with its title just above its plot. */
function titled({ top }: Frame, axis: Axis): Axis {
  return { ...axis, title_y: top - 10 };
}

/** A line with a mark at each load. It has a gap where nothing arrived. */
function curveOf(nth: number, spots: readonly Spot[], kind: "p50" | "p99"): SVGElement[] {
  let path = "";
  let pen = "M";
  let marks = "";
  for (const [x, y] of spots) {
    if (y === undefined) {
      pen = "M";
      continue;
    }
    path += `${pen}${round(x)} ${round(y)}`;
    pen = "L";
    marks += markOf(nth, x, y);
  }
  return [svg("path", { class: kind, d: path }), svg("path", { class: `mark ${kind}`, d: marks })];
}

/** A rule through all plots at the largest load that is carried, and the label of the overload beyond it. */
function kneeOf(curve: Curve, x: number, first: Frame, last: Frame, line: number): SVGElement[] {
  const y = line - 3;
  const { text, before } = overloadLabel(curve.link, x, last.right, (label) => textWidth(label, 12));
  return [
    svg("path", { class: "knee", d: `M${round(x)} ${y + 3}V${first.bottom}M${round(x)} ${first.bottom + ABOVE}V${last.bottom}` }),
    svg("path", { class: "mark p50", d: markOf(curve.nth, x, y - 4) }),
    svg("text", { class: "overload", x: round(before ? x - BESIDE : x + BESIDE), y, "text-anchor": before ? "end" : "start" }, text),
  ];
}

/** The name of the overload beside its rule: after it, else before it, and without the link if that is too long. */
export function overloadLabel(link: string, x: number, right: number, widthOf: (text: string) => number): { text: string; before: boolean } {
  for (const name of [`${link} overloaded`, "overloaded"]) {
    const [after, before] = [`${name} ›`, `${name} from here ›`];
    if (x + BESIDE + widthOf(after) <= right) return { text: after, before: false };
    if (x - BESIDE - widthOf(before) >= 0) return { text: before, before: true };
  }
  return { text: "overloaded ›", before: x > right / 2 };
}

/** Saturated goodput and ceiling of a link, across the plot of goodput. */
function limitsOf(curve: Curve, scale: Scale, { left, right }: Frame): SVGElement[] {
  const rule = (value: number, kind: string) =>
    svg("path", { class: kind, d: `M${left} ${round(scale(value))}H${right}` });
  const all = [];
  if (curve.saturated_kbps > 0) all.push(rule(curve.saturated_kbps, "saturated"));
  if (curve.ceiling_kbps !== undefined) all.push(rule(curve.ceiling_kbps, "ceiling"));
  return all;
}

function labelOf(curves: readonly Curve[]): string {
  const names = curves.map((curve) => curve.link).join(", ");
  return `Latency, goodput and loss against offered load of ${names}. The values are in the tables below.`;
}
