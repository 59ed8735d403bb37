// Latencies over time, and their distribution beside it on the same axis.

import { count, inUnit, type Unit } from "../amounts/format.ts";
import { axisBelow, axisLeft, picture, round, widestTick, type Frame } from "../charts/axes.ts";
import { boxes, crosses, dots } from "../charts/marks.ts";
import { linear, logarithmic, type Scale } from "../charts/scale.ts";
import { html, svg } from "../elements.ts";
import { sentence } from "../explain/explanation.ts";
import { floorOf } from "./explain.ts";
import { pickable } from "./pick.ts";
import { around, aroundLog, binned, messagesOf, type Messages } from "./series.ts";
import type { State } from "./state.ts";
import type { Shown } from "./timeline.ts";

/** Quantiles on the charts: those of the answer. */
const QUANTILES = ["p50", "p95", "p99"] as const;

/** Height of the plot and of the band of losses above it, height of a bin, px. */
const TALL = 280;
const BAND = 26;
const BIN = 4;
/** Width below which the distribution is below the latencies, px. */
const NARROW = 720;

/** Draws the messages of one or two benches. */
export function drawLatencies(root: HTMLElement, all: readonly Shown[], unit: Unit, scale: State["scale"], width: number, chosen: (message: number) => void): void {
  const messages = all.map(({ seen }) => messagesOf(seen.trigger_ns, seen.completion_ns));
  const lost = messages.some((one) => one.missing.length);
  const top = 26 + (lost ? BAND : 0);
  const place = [top + TALL, top] as const;
  const withFloor = scale !== "close" || !messages.some((one) => one.points.length);
  const values = all.flatMap(({ seen }, at) => [...(withFloor ? [seen.answer.floor.ns] : []), ...(messages[at]?.points ?? []).map(([, ns]) => ns)]).map((ns) => ns / unit.size);
  const y = scale === "log" ? logarithmic(aroundLog(values), place) : linear(around(values, 0.06), place);
  const left = Math.ceil(widestTick(y, TALL)) + 14;
  const beside = width >= NARROW;
  const wide = beside ? Math.floor(width * 0.62) : width;
  const frame: Frame = { width: wide, height: top + TALL + 38, left, right: wide - 14, top, bottom: top + TALL };
  const other = beside ? width - wide - 16 : width;
  root.classList.toggle("beside", beside);
  root.replaceChildren(
    timeChart(all, messages, frame, y, unit, chosen),
    distribution(all, messages, { ...frame, width: other, right: other - 14 }, y, unit),
    keyOf(all, lost, messages, y, unit),
  );
}

function timeChart(all: readonly Shown[], messages: readonly Messages[], frame: Frame, y: Scale, unit: Unit, chosen: (message: number) => void): Element {
  const { left, right, top } = frame;
  const end_s = Math.max(1e-9, ...messages.map((one) => one.end_s));
  const x = linear([0, end_s], [left + 4, right - 4]);
  const label = all.map((one, at) => `${one.name}: ${count(messages[at]?.points.length ?? 0)} latencies, ${count(messages[at]?.missing.length ?? 0)} not completed`).join("; ");
  const chart = picture(frame.width, frame.height, `Latency of each message over time. ${label}.`);
  chart.append(axisLeft(frame, { scale: y, title: `latency, ${unit.name}` }), axisBelow(frame, { scale: x, title: "time of the trigger, s" }));
  all.forEach(({ which, seen }, at) => {
    const { points = [], missing = [] } = messages[at] ?? {};
    chart.append(
      svg("path", { class: `dots ${which}`, d: dots(points.map(([s, ns]) => [x(s), y(ns / unit.size)] as const)) }),
      floorLine(seen.answer.floor.ns / unit.size, y, left, right),
    );
    if (missing.length) {
      const height = top - BAND / 2 - 2 + (all.length > 1 ? (at ? 5 : -5) : 0);
      chart.append(svg("path", { class: `lost ${which}`, d: crosses(missing.map((s) => [x(s), height] as const)) }));
    }
  });
  if (messages.some((one) => one.missing.length)) {
    chart.append(svg("text", { class: "lost-name", x: left - 6, y: top - BAND / 2 + 2, "text-anchor": "end" }, "lost"));
  }
  const [first] = messages;
  // The boards are always those of A, even where B is drawn.
  return first ? pickable(chart, first, { frame, x, y, unit }, chosen) : chart;
}

/** The floor; nothing if it lies outside an axis over the latencies alone. */
function floorLine(value: number, y: Scale, left: number, right: number): SVGElement {
  return svg("path", { class: "floor", d: within(value, y) ? `M${left} ${round(y(value))}H${right}` : "" });
}

function within(value: number, { domain: [low, high] }: Scale): boolean {
  return value >= low && value <= high;
}

function distribution(all: readonly Shown[], messages: readonly Messages[], frame: Frame, y: Scale, unit: Unit): SVGElement {
  const { left, right, top, bottom } = frame;
  const bins = Math.floor((bottom - top) / BIN);
  const edges = Array.from({ length: bins + 1 }, (_, nth) => y.invert(bottom - nth * BIN) * unit.size);
  const counts = messages.map(({ points }) => binned(points.map(([, ns]) => ns), edges));
  const most = Math.max(1, ...counts.flat());
  // Names of quantiles stand right of the bars.
  const x = linear([0, most * 1.02], [left, right - 64]);
  const chart = picture(frame.width, frame.height, `Distribution of the latencies. ${all.map((one) => quantilesSaid(one, unit)).join(" ")}`);
  chart.append(axisLeft(frame, { scale: y, title: `latency, ${unit.name}` }), axisBelow({ ...frame, right: right - 64 }, { scale: x, title: "messages" }));
  const names: { y: number; text: string }[] = [];
  all.forEach(({ which, seen }, at) => {
    const bars = (counts[at] ?? []).flatMap((n, nth) => {
      const foot = bottom - nth * BIN;
      return n ? [[left, foot - BIN + 0.5, Math.max(x(n), left + 1), foot] as const] : [];
    });
    chart.append(svg("path", { class: `bars ${which}`, d: boxes(bars) }), floorLine(seen.answer.floor.ns / unit.size, y, left, right));
    const latency = seen.answer.latency_ns;
    for (const name of latency ? QUANTILES : []) {
      const [low, high] = latency?.interval95[name] ?? [null, null];
      const level = y(Number(latency?.[name]) / unit.size);
      const ends = [low, high].map((ns, end) => (ns === null ? (end ? top : bottom) : y(ns / unit.size)));
      chart.append(
        svg("path", { class: `interval ${which}`, d: boxes([[left, ends[1] ?? level, right - 4, ends[0] ?? level]]) }),
        svg("path", { class: `quantile ${which}`, d: `M${left} ${round(level)}H${right}` }),
      );
      names.push({ y: level, text: all.length > 1 ? `${which.toUpperCase()} ${name}` : name });
    }
    const floor = seen.answer.floor.ns / unit.size;
    const same = all.every((one) => one.seen.answer.floor.ns === seen.answer.floor.ns);
    if (within(floor, y) && !(same && at)) names.push({ y: y(floor), text: all.length > 1 && !same ? `${which.toUpperCase()} floor` : "floor" });
  });
  for (const one of apart(names, top, bottom)) {
    chart.append(svg("text", { class: "quantile-name", x: right, y: round(one.y) - 3, "text-anchor": "end" }, one.text));
  }
  return chart;
}

/** Moves names apart that would overlap, upwards in the order of their values. */
function apart<N extends { y: number }>(names: readonly N[], top: number, bottom: number): N[] {
  const line = 13;
  const sorted = [...names].sort((a, b) => b.y - a.y);
  let free = bottom + 2;
  const placed = sorted.map((one) => {
    const y = Math.min(one.y, free);
    free = y - line;
    return { ...one, y };
  });
  // Names pushed above the plot move back down.
  let floor = top + line - 2;
  for (const one of placed.toReversed()) {
    one.y = Math.max(one.y, floor);
    floor = one.y + line;
  }
  return placed;
}

function quantilesSaid({ name, seen }: Shown, unit: Unit): string {
  const latency = seen.answer.latency_ns;
  if (!latency) return `${name}: no message arrived.`;
  return `${name}: ${QUANTILES.map((one) => `${one} ${inUnit(latency[one], unit)}`).join(", ")}.`;
}

function keyOf(all: readonly Shown[], lost: boolean, messages: readonly Messages[], y: Scale, unit: Unit): HTMLElement {
  const runs = all.map(({ which, name, seen }, at) => {
    const shown = messages[at]?.points.length ?? 0;
    const lead = all.length > 1 ? `${which.toUpperCase()} ${name}: ` : "";
    return html("li", {}, html("i", { class: `swatch run-${which}` }), html("span", { class: "name" }, lead), `${count(shown)} delivered of ${count(seen.answer.triggers)}`);
  });
  return html("ul", { class: "legend" }, ...runs,
    lost ? html("li", { class: "lost" }, "× lost: not delivered, without a latency") : null,
    html("li", {}, html("i", { class: "swatch band" }), "95 % confidence interval of a quantile"),
    ...[...new Map(all.map((one) => [one.seen.answer.floor.ns, one]))].map(([ns, one]) =>
      html("li", {}, html("i", { class: "swatch floor-line" }),
        ...sentence(`${one.which} floor legend`, () => floorOf(one), `floor ${inUnit(ns, unit)}${within(ns / unit.size, y) ? "" : ", not on this axis"}`))),
  );
}

