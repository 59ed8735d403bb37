// The frame of a chart: axes with titles, ticks and a grid, in px of the page, so that text keeps its size.

import { plainNumber } from "../amounts/format.ts";
import { svg } from "../elements.ts";
import type { Scale } from "./scale.ts";

export interface Axis {
  readonly scale: Scale;
  /** Quantity on the axis, and its unit. */
  readonly title: string;
  /** Text of a tick. */
  readonly format?: (value: number) => string;
  /** Place of the title of a vertical axis, px, where a picture has several plots. */
  readonly title_y?: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The plot within the picture, px. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Distance between ticks, px, for their text: in a row, and in a column. */
const ACROSS = 70;
const DOWN = 44;
/** The title of a vertical axis is at the upper edge of a picture, above a band of losses. */
const TITLE_Y = 12;

/** A picture of this size, with a name for screen readers. */
export function picture(width: number, height: number, label: string): SVGSVGElement {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" });
}

/** The horizontal axis, below the plot. */
export function axisBelow(frame: Frame, { scale, title, format = plainNumber }: Axis): SVGGElement {
  const { left, right, bottom, top } = frame;
  const group = svg("g", { class: "axis" });
  let free = -Infinity;
  for (const tick of scale.ticks((right - left) / ACROSS)) {
    const x = round(scale(tick));
    group.append(svg("path", { class: "grid", d: `M${x} ${top}V${bottom}` }));
    const text = format(tick);
    const half = textWidth(text, 12) / 2;
    if (x - half < free) continue;
    free = x + half + 6;
    group.append(svg("text", { x, y: bottom + 15, "text-anchor": "middle" }, text));
  }
  group.append(
    svg("path", { class: "line", d: `M${left} ${bottom}H${right}` }),
    svg("text", { class: "title", x: right, y: bottom + 32, "text-anchor": "end" }, title),
  );
  return group;
}

/** The vertical axis, left of the plot, with its title above it. */
export function axisLeft(frame: Frame, { scale, title, format = plainNumber, title_y = TITLE_Y }: Axis): SVGGElement {
  const { left, right, top, bottom } = frame;
  const group = svg("g", { class: "axis" });
  for (const tick of scale.ticks((bottom - top) / DOWN)) {
    const y = round(scale(tick));
    group.append(
      svg("path", { class: "grid", d: `M${left} ${y}H${right}` }),
      svg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, format(tick)),
    );
  }
  group.append(
    svg("path", { class: "line", d: `M${left} ${top}V${bottom}` }),
    svg("text", { class: "title", x: 2, y: title_y }, title),
  );
  return group;
}

/** Width of the widest tick of a vertical axis, px. */
export function widestTick(scale: Scale, tall: number, format: (value: number) => string = plainNumber): number {
  return Math.max(0, ...scale.ticks(tall / DOWN).map((tick) => textWidth(format(tick), 12)));
}

/** Rounds a place to a tenth of a px. */
export function round(px: number): number {
  return Math.round(px * 10) / 10;
}

let context: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** Width of a text in the font of the page, px. */
export function textWidth(text: string, size: number): number {
  const key = `${size} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  context ??= document.createElement("canvas").getContext("2d");
  // Without a canvas, the average width of a letter.
  let width = text.length * size * 0.55;
  if (context) {
    context.font = `${size}px "Liberation Sans", Arial, Helvetica, sans-serif`;
    width = context.measureText(text).width;
  }
  if (widths.size > 5000) widths.clear();
  widths.set(key, width);
  return width;
}
