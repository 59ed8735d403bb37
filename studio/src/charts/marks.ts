// Marks of many values as one path each, because a thousand elements take longer to lay out than to compute.

import { round } from "./axes.ts";

/** Dots; the width of the stroke with round ends is their size. */
export function dots(places: Iterable<readonly [number, number]>): string {
  let path = "";
  for (const [x, y] of places) path += `M${round(x)} ${round(y)}h0`;
  return path;
}

/** Crosses of losses, as in the reports. */
export function crosses(places: Iterable<readonly [number, number]>, radius = 4): string {
  let path = "";
  for (const [x, y] of places) {
    const [left, top] = [round(x - radius), round(y - radius)];
    const across = 2 * radius;
    path += `M${left} ${top}l${across} ${across}m${-across} 0l${across} ${-across}`;
  }
  return path;
}

/** Rectangles from x to x and y to y. */
export function boxes(all: Iterable<readonly [number, number, number, number]>): string {
  let path = "";
  for (const [x1, y1, x2, y2] of all) path += `M${round(x1)} ${round(y1)}H${round(x2)}V${round(y2)}H${round(x1)}Z`;
  return path;
}
