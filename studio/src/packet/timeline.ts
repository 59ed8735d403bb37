// The median and the p99 packet, slice by slice.

import { inUnit, type Unit } from "../amounts/format.ts";
import { axisBelow, picture, round, textWidth, type Frame } from "../charts/axes.ts";
import { boxes } from "../charts/marks.ts";
import { linear, type Scale } from "../charts/scale.ts";
import { html, svg } from "../elements.ts";
import type { Seen } from "./bench.ts";
import { MEANING, placedNames, sliceAt, slicesOf, STEEP, type Kind, type Slice } from "./slices.ts";

/** A bench on the charts: its name, and whether it is the one that is compared. */
export interface Shown {
  readonly name: string;
  readonly which: "a" | "b";
  readonly seen: Seen;
}

interface Row {
  readonly title: string;
  readonly floor_ns: number;
  readonly slices: readonly Slice[];
}

/** Heights of a title and of the slices, distance between rows, font size of names, px. */
const TITLE = 20;
const TALL = 34;
const GAP = 10;
const NAME = 11;

/** Draws the packets of one or two benches on one time axis. */
export function drawTimeline(root: HTMLElement, all: readonly Shown[], unit: Unit, width: number): void {
  const rows = all.flatMap(rowsOf.bind(undefined, unit, all.length > 1));
  const longest = Math.max(1, ...rows.map(({ slices, floor_ns }) => Math.max(slices.at(-1)?.end_ns ?? 0, floor_ns)));
  const frame = { width, left: 4, right: width - 8 };
  const x = linear([0, longest * 1.02], [frame.left, frame.right]);
  const named = rows.map(({ slices }) => placedNames(slices, x, frame.right, (text) => textWidth(text, NAME)));
  let top = 0;
  const group = svg("g");
  const tops: number[] = [];
  rows.forEach((row, at) => {
    const names = named[at] ?? [];
    const oblique = Math.max(0, ...names.filter((one) => !one.inside).map((one) => textWidth(one.text, NAME)));
    const above = oblique ? Math.ceil(Math.sin((STEEP * Math.PI) / 180) * oblique) + 18 : 4;
    group.append(svg("text", { x: frame.left, y: top + 14, class: "row-title" }, row.title));
    top += TITLE + above;
    tops.push(top);
    group.append(...slicesIn(row.slices, x, top), ...namesIn(names, top));
    const floor = round(x(row.floor_ns));
    group.append(svg("path", { class: "floor", d: `M${floor} ${top - 5}V${top + TALL + 5}` }));
    top += TALL + GAP;
  });
  const whole: Frame = { ...frame, top: 0, bottom: top, height: top + 38 };
  const axis = axisBelow({ ...whole, top: top - 6 }, { scale: linear([0, x.domain[1] / unit.size], [frame.left, frame.right]), title: `from trigger to strobe, ${unit.name}` });
  const label = rows.map((row) => row.title).join("; ");
  const chart = picture(width, whole.height, `Timeline of packets. ${label}. The slices are in the table below.`);
  chart.append(axis, group);
  const stage = html("div", { class: "stage" }, chart);
  rows.forEach((row, at) => stage.append(reader(row, x, tops[at] ?? 0, unit)));
  root.replaceChildren(stage, legendOf(rows));
}

function rowsOf(unit: Unit, several: boolean, { name, which, seen }: Shown): Row[] {
  const { budget, floor } = seen.answer;
  if (!budget) return [];
  const lead = several ? `${which.toUpperCase()} ${name}: ` : "";
  return (["median", "p99"] as const).map((key) => ({
    title: `${lead}${key} packet, ${inUnit(budget[key].latency_ns, unit)}`,
    floor_ns: floor.ns,
    slices: slicesOf(budget[key].parts),
  }));
}

function slicesIn(slices: readonly Slice[], x: Scale, top: number): SVGElement[] {
  const kinds = new Map<Kind, [number, number, number, number][]>();
  for (const { kind, begin_ns, end_ns } of slices) {
    const places = kinds.get(kind) ?? [];
    places.push([x(begin_ns), top, x(end_ns), top + TALL]);
    kinds.set(kind, places);
  }
  return [...kinds].map(([kind, places]) => svg("path", { class: `slice ${kind}`, d: boxes(places) }));
}

function namesIn(names: ReturnType<typeof placedNames>, top: number): SVGElement[] {
  return names.flatMap(({ text, kind, inside, middle, at }) => {
    if (inside) {
      const place = { x: round(at), y: top + TALL / 2 + 4, "text-anchor": "middle", class: `inside ${kind}`, "font-size": NAME };
      return [svg("text", place, text)];
    }
    const place = `rotate(${-STEEP} ${round(at)} ${top - 12})`;
    return [
      svg("path", { class: "pointer", d: `M${round(at)} ${top - 9}L${round(middle)} ${top}` }),
      svg("text", { x: round(at), y: top - 12, transform: place, "font-size": NAME }, text),
    ];
  });
}

/**
 * Reads the slice under the pointer, or step by step with the arrow keys.
 *
 * One slider for each packet, because hundreds of slices would be hundreds of stops of the Tab key.
 */
function reader(row: Row, x: Scale, top: number, unit: Unit): HTMLElement {
  const { slices, title } = row;
  const last = slices.length - 1;
  const mark = html("div", { class: "slice-mark", hidden: true });
  const tip = html("div", { class: "tip", hidden: true });
  const element = html("div", {
    class: "slice-reader", role: "slider", tabindex: 0, "aria-label": `Slices of the ${title}`,
    "aria-valuemin": 1, "aria-valuemax": last + 1, "aria-valuenow": 1, "aria-valuetext": said(slices[0], unit),
  }, mark, tip);
  element.style.top = `${top}px`;
  element.style.height = `${TALL}px`;
  let present = 0;
  const show = (at: number) => {
    present = Math.min(Math.max(at, 0), last);
    const slice = slices[present];
    if (!slice) return;
    const [begin, end] = [x(slice.begin_ns), x(slice.end_ns)];
    mark.style.left = `${begin}px`;
    mark.style.width = `${Math.max(end - begin, 2)}px`;
    tip.textContent = said(slice, unit);
    tip.classList.toggle("end", begin > (x(x.domain[1]) * 2) / 3);
    tip.style.left = begin > (x(x.domain[1]) * 2) / 3 ? "" : `${begin}px`;
    tip.style.right = begin > (x(x.domain[1]) * 2) / 3 ? `calc(100% - ${end}px)` : "";
    mark.hidden = tip.hidden = false;
    element.setAttribute("aria-valuenow", String(present + 1));
    element.setAttribute("aria-valuetext", said(slice, unit));
  };
  const hide = () => (mark.hidden = tip.hidden = true);
  element.addEventListener("pointermove", (event) => show(sliceAt(slices, x.invert(event.clientX - element.getBoundingClientRect().left))));
  element.addEventListener("pointerdown", (event) => show(sliceAt(slices, x.invert(event.clientX - element.getBoundingClientRect().left))));
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focus", () => element.matches(":focus-visible") && show(present));
  element.addEventListener("blur", hide);
  element.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity };
    if (event.key === "Escape") return hide();
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(present + step);
  });
  return element;
}

function said(slice: Slice | undefined, unit: Unit): string {
  if (!slice) return "";
  const { name, kind, begin_ns, end_ns } = slice;
  return `${name} (${MEANING[kind]}): ${inUnit(end_ns - begin_ns, unit)}, from ${inUnit(begin_ns, unit)}`;
}

/** Legend of the kinds that occur, and of the floor. */
export function legendOf(rows: readonly { readonly slices: readonly { readonly kind: Kind | null }[] }[]): HTMLElement {
  const used = new Set(rows.flatMap(({ slices }) => slices.map(({ kind }) => kind)));
  const items = (Object.keys(MEANING) as Kind[]).filter((kind) => used.has(kind));
  return html("ul", { class: "legend" },
    ...items.map((kind) => html("li", {}, html("i", { class: `swatch ${kind}` }), MEANING[kind])),
    html("li", {}, html("i", { class: "swatch floor-line" }), "floor with these settings"),
  );
}
