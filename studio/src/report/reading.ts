// Reads values from a chart: a tooltip for the nearest mark, and a crosshair with the value of
// every series. Arrow keys move between marks.

import { number, percent } from "../amounts/format.ts";
import { panels, type Panel } from "./panel.ts";
import type { Read } from "./panels.ts";
import { nameOf, page } from "./state.ts";
import { showTip, tip } from "./tip.ts";
import type { Item, Mark } from "./vega.ts";

/** Maximum distance of a mark from the pointer, px. */
const REACH = 40;

/** A mark with a tooltip, and its place in the picture, px. */
export interface Place {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly tooltip: Readonly<Record<string, unknown>>;
}

/** Columns of a table by run. */
export type Series = ReadonlyMap<number, Readonly<Record<string, number[]>>>;

function marksOf(panel: Panel): Place[] {
  if (panel.marks) return panel.marks;
  const { view } = panel;
  const found: Place[] = [];
  if (!view) return found;
  const visit = ({ marktype, items = [] }: Mark, left: number, top: number): void => {
    for (const item of items) {
      const { x = 0, y = 0, tooltip, bounds } = item;
      if (marktype === "group") {
        visitAll(item, left + x, top + y);
      } else if (tooltip && typeof tooltip === "object") {
        const isLine = marktype === "line" || marktype === "area";
        const box = isLine ? { x1: x, x2: x, y1: y, y2: y } : bounds;
        found.push({ x1: left + box.x1, y1: top + box.y1, x2: left + box.x2, y2: top + box.y2, tooltip });
      }
    }
  };
  const visitAll = ({ items = [] }: Item, left: number, top: number) => {
    for (const mark of items) visit(mark, left, top);
  };
  const [right, down] = view.origin();
  for (const group of view.scenegraph().root.items ?? []) visitAll(group, right, down);
  return (panel.marks = found.sort((a, b) => a.x1 - b.x1));
}

/** Nearest mark within reach of a position. */
function nearest(panel: Panel, x: number, y: number): Place | null {
  let [best, least]: [Place | null, number] = [null, REACH * REACH];
  for (const mark of marksOf(panel)) {
    const right = Math.max(mark.x1 - x, 0, x - mark.x2);
    const down = Math.max(mark.y1 - y, 0, y - mark.y2);
    // Under the pointer the smallest mark wins; among equals the topmost.
    const size = (mark.x2 - mark.x1) * (mark.y2 - mark.y1) * 1e-6;
    const far = right * right + down * down + size;
    if (far <= least) [best, least] = [mark, far];
  }
  return best;
}

/** Values of every series at a position of the axis. */
function readOff(panel: Panel, { header, y, how, words: [what, of], unit }: Read, at: number): [string, string][] {
  panel.series ??= seriesOf(panel, header);
  const read: [string, string][] = [];
  for (const [run, points] of panel.series) {
    if (page.shown && !page.shown.has(run)) continue;
    const value = valueAt(points["x"] ?? [], points[y] ?? [], at, how);
    if (value !== null) read.push([nameOf(run), unit === "%" ? percent(value) : `${number(value)} ${unit}`.trim()]);
  }
  // The percentile axis is a logit axis, which widens the tail.
  return [[what, of === "logit" ? percent(1 / (1 + Math.exp(-at))) : `${number(at)} ${of}`], ...read];
}

function seriesOf(panel: Panel, header: string): Series {
  const tables = Object.values(panel.spec["datasets"]);
  const table = tables.find((each): each is string => typeof each === "string" && each.startsWith(`${header}\n`)) ?? header;
  const names = header.split(",");
  const found = new Map<number, Record<string, number[]>>();
  for (const line of table.trimEnd().split("\n").slice(1)) {
    const cells = line.split(",").map(Number);
    const run = cells[names.indexOf("r")] ?? 0;
    const columns = found.get(run) ?? Object.fromEntries(names.map((name) => [name, []]));
    names.forEach((name, at) => columns[name]?.push(cells[at] ?? NaN));
    found.set(run, columns);
  }
  return found;
}

/** Value of a series at `at`, between its points or in steps; null outside. */
function valueAt(x: readonly number[], y: readonly number[], at: number, how: string): number | null {
  const last = x.length - 1;
  if (last < 0 || at < (x[0] ?? 0) || at > (x[last] ?? 0)) return null;
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((x[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = [x[low], x[low + 1], y[low], y[low + 1]];
  if (how === "step" || low === last) return y1;
  return y1 + ((at - x1) / (x2 - x1 || 1)) * (y2 - y1);
}

/** Moves the crosshair of a panel. Returns its place, px. */
function cross({ view, line, stage }: Panel, at: number): number {
  if (!view) return 0;
  const [right, down] = view.origin();
  const x = right + view.scale("x")(at);
  if (line.parentNode !== stage) stage.append(line);
  Object.assign(line.style, { left: `${x}px`, top: `${down}px`, height: `${view.height()}px` });
  return x;
}

/** Marks where the crosshair meets transfers of other panels on the same time axis. */
function crossOthers(panel: Panel, at: number): void {
  for (const other of panels) {
    if (!other.meta["time"] || !other.near || !other.view) continue;
    const [first = 0, last = 0] = other.view.scale("x").domain();
    if (at < first || at > last) {
      other.line.remove();
      other.reading.remove();
      continue;
    }
    const x = cross(other, at);
    const found = other === panel ? null : closest(marksOf(other), x);
    if (!found) continue;
    const { reading, stage } = other;
    if (reading.parentNode !== stage) stage.append(reading);
    reading.textContent = Object.entries(found.tooltip).map(([name, value]) => `${name} ${value}`).join(" · ");
    reading.style.left = `${Math.min(x + 6, stage.clientWidth * 0.5)}px`;
  }
}

function closest(marks: readonly Place[], x: number): Place | null {
  const far = ({ x1, x2 }: Place) => Math.abs((x1 + x2) / 2 - x);
  return marks.reduce<Place | null>((best, mark) => (best && far(best) <= far(mark) ? best : mark), null);
}

/** Hides the crosshair and tooltip. */
export function leave(): void {
  tip.hidden = true;
  for (const { line, reading, ring } of panels) for (const each of [line, reading, ring]) each.remove();
}

/** Highlights a mark and shows its tooltip. */
function point({ ring, stage }: Panel, mark: Place): void {
  if (ring.parentNode !== stage) stage.append(ring);
  const x = (mark.x1 + mark.x2) / 2;
  Object.assign(ring.style, { left: `${x}px`, top: `${(mark.y1 + mark.y2) / 2}px` });
  const box = stage.getBoundingClientRect();
  showTip(Object.entries(mark.tooltip), box.left + x, box.top + mark.y2);
}

export function attachReading(panel: Panel): void {
  const { stage } = panel;
  stage.addEventListener("pointermove", ({ clientX, clientY }) => {
    const { view, read } = panel;
    if (!view || panel.isDragging) return;
    const box = stage.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const [right] = view.origin();
    const scale = view.scale("x");
    const at = x >= right && x <= right + view.width() ? scale?.invert?.(x - right) : undefined;
    leave();
    if (read && at !== undefined) {
      cross(panel, at);
      showTip(readOff(panel, read, at), clientX, clientY);
      return;
    }
    if (panel.meta["time"] && at !== undefined) crossOthers(panel, at);
    const mark = nearest(panel, x, y);
    if (mark) point(panel, mark);
  });
  stage.addEventListener("pointerleave", leave);
  stage.addEventListener("blur", leave);
  stage.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") leave();
    if (!step || event.shiftKey || !panel.view) return;
    event.preventDefault();
    leave();
    const marks = marksOf(panel);
    panel.at = Math.max(0, Math.min(marks.length - 1, (panel.at ?? (step > 0 ? -1 : marks.length)) + step));
    const mark = marks[panel.at];
    if (mark) point(panel, mark);
  });
}
