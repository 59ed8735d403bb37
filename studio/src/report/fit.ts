// Fits a panel to the available width; on narrow screens, side text moves below the panel.

import { fieldsOf } from "./csv.ts";
import { nameOf } from "./state.ts";
import { nodes, type Spec } from "./vega.ts";

/** Width below which a panel has no space for side text, px. */
const NARROW = 640;
/** Character width of labels that the chart layout assumes, px. */
const LETTER = 6.2;

/** Wraps text to lines of a maximum length. */
function wrapped(text: string, most: number): string | string[] {
  const lines = [""];
  // Names without spaces may break after a hyphen or a slash.
  for (const piece of text.split(/(?<=[ /_-])/)) {
    const line = lines.at(-1) ?? "";
    if (line && line.length + piece.trimEnd().length > most) lines.push(piece);
    else lines[lines.length - 1] = line + piece;
  }
  return lines.length > 1 ? lines : (lines[0] ?? "");
}

/** Whether a layer is text to the right of the plot. */
function isAside({ mark, encoding }: Spec): boolean {
  return mark?.type === "text" && mark.dx > 0 && encoding?.x?.value === "width";
}

/** Fits a panel to a width, px; returns the tables of the texts that do not fit. */
export function fitted(spec: Spec, width: number): string[] {
  const narrow = width < NARROW;
  const layers = (spec["layer"] as Spec[] | undefined) ?? [];
  const aside = narrow ? layers.filter(isAside) : [];
  if (aside.length) spec["layer"] = layers.filter((layer) => !isAside(layer));
  spec["width"] = width;
  spec["autosize"] = { type: "fit-x", contains: "padding" };
  if (narrow) spec["config"] = { ...spec["config"], padding: 6 };
  const room = width - (narrow ? 60 : 210);
  for (const node of nodes(spec)) {
    if (node["axis"]) fitAxis(node, room, narrow);
    if (node["legend"]) fitLegend(node, width, spec);
  }
  return aside.map((layer) => spec["datasets"][layer["data"]?.name]).filter(Boolean);
}

function fitAxis({ axis, scale }: Spec, room: number, narrow: boolean): void {
  if (scale?.reverse) {
    // Axes without labels only align the charts of a page.
    if (narrow && axis.labels === false) axis.minExtent = 0;
    return;
  }
  // The length of a vertical title is the panel's height, which does not change.
  const down = axis.minExtent !== undefined;
  if (down && narrow) axis.minExtent = 30;
  if (down) return;
  if (axis.title) axis.title = wrapped([axis.title].flat().join(" "), room / LETTER);
  if (axis.tickCount) axis.tickCount = Math.max(3, Math.min(axis.tickCount, room / 70));
  axis.labelOverlap = "greedy";
}

/** Legend labels by value: those of the chart, or the values themselves. */
function labelsOf({ legend, scale, field }: Spec, spec: Spec): Record<string, string> {
  const worded = /^\((.*)\)\[datum\.label\]$/.exec(legend.labelExpr ?? "")?.[1];
  if (worded) return JSON.parse(worded) as Record<string, string>;
  const rows = Object.values(spec["datasets"] ?? {}).filter(Array.isArray).flat() as Spec[];
  const there = rows.filter((row) => field in row).map((row) => String(row[field]));
  const values: unknown[] = legend.values ?? scale?.domain ?? there;
  return Object.fromEntries(values.map((value) => [value, String(value)]));
}

function fitLegend(channel: Spec, width: number, spec: Spec): void {
  const legend: Spec = channel["legend"];
  const labels = labelsOf(channel, spec);
  // Two legends at one side would be side by side, so the right one moves to the top.
  if (width < NARROW && legend["orient"] !== "bottom") Object.assign(legend, { orient: "top", direction: "horizontal" });
  // Aligns the legend with the plot.
  const room = width - 80;
  const each = 60 + LETTER * Math.max(1, ...Object.values(labels).map((name) => name.length));
  if (legend["orient"] === "bottom") legend["columns"] = Math.max(1, Math.floor(room / each));
  legend["labelLimit"] = width;
  if (each <= room) return;
  const lines = Object.entries(labels).map(([value, name]) => [value, wrapped(name, (room - 60) / LETTER)]);
  legend["labelExpr"] = `(${JSON.stringify(Object.fromEntries(lines))})[datum.label] || datum.label`;
}

/** Side text of a panel by run, or line by line for a single run. */
export function wordsOf(tables: readonly string[]): string[] {
  const lines: string[] = [];
  const ofRuns = new Map<number, string[]>();
  for (const table of tables) {
    const [names = [], ...rows] = fieldsOf(table);
    const [at, of] = [names.indexOf("text"), names.indexOf("r")];
    for (const row of rows) {
      const [text, run] = [row[at], Number(row[of])];
      if (!text) continue;
      if (of < 0) lines.push(text);
      else ofRuns.set(run, [...(ofRuns.get(run) ?? []), text]);
    }
  }
  return [...lines, ...[...ofRuns].map(([run, texts]) => `${nameOf(run)}: ${texts.join(", ")}`)];
}
