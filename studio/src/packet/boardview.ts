// Both boards and the medium during one packet.

import { inUnit, type Unit } from "../amounts/format.ts";
import { axisBelow, picture, round, textWidth } from "../charts/axes.ts";
import { boxes } from "../charts/marks.ts";
import { linear } from "../charts/scale.ts";
import { html, svg } from "../elements.ts";
import { aboutChart } from "../explain/explanation.ts";
import type { Lane } from "./boards.ts";
import { ORIGIN } from "./explain.ts";
import { MEANING } from "./slices.ts";

/** Height of a lane with its name, and of its bars, px. */
const LANE = 42;
const BAR = 20;
/** Largest number of activities of a lane with a name and a tip each. More are too narrow to point at. */
const MOST = 150;

/** Draws the activities of each board, each chip and the medium from the trigger to the strobe. */
export function drawBoards(root: HTMLElement, lanes: readonly Lane[], latency_ns: number, unit: Unit, width: number): void {
  const [left, right] = [4, width - 8];
  const x = linear([0, Math.max(latency_ns, 1)], [left, right]);
  const height = lanes.length * LANE + 40;
  const chart = picture(width, height, `What each part does during the packet. ${lanes.map((lane) => saidOf(lane, unit)).join(" ")}`);
  const frame = { width, height, left, right, top: 0, bottom: lanes.length * LANE + 4 };
  chart.append(axisBelow(frame, { scale: linear([0, latency_ns / unit.size], [left, right]), title: `from trigger to strobe, ${unit.name}` }));
  lanes.forEach((lane, nth) => {
    const top = nth * LANE + 18;
    chart.append(svg("text", { x: left, y: top - 5, class: "row-title" }, lane.name));
    // Short activities last, so that a long one does not cover them.
    const drawn = [...lane.activities].sort((a, b) => b.end_ns - b.begin_ns - (a.end_ns - a.begin_ns));
    if (drawn.length > MOST) chart.append(...merged(drawn, x, top));
    for (const { name, kind, begin_ns, end_ns } of drawn.length > MOST ? [] : drawn) {
      const [begin, end] = [x(begin_ns), x(end_ns)];
      const inset = kind ? 0 : 5;
      const bar = svg("path", { class: `slice ${kind ?? "beside"}`, d: boxes([[begin, top + inset, Math.max(end, begin + 0.5), top + BAR - inset]]) },
        svg("title", {}, `${name}${kind ? ` (${MEANING[kind]})` : ", adds no latency"}: ${inUnit(end_ns - begin_ns, unit)}`));
      chart.append(bar);
      if (kind && end - begin > textWidth(name, 11) + 8) {
        chart.append(svg("text", { class: `inside ${kind}`, "font-size": 11, "text-anchor": "middle", x: round((begin + end) / 2), y: top + BAR / 2 + 4 }, name));
      }
    }
  });
  const beside = lanes.some((lane) => lane.activities.some((one) => !one.kind));
  const about = aboutChart("boards", () => ({
    name: "this chart",
    what: "What each board, chip and the medium do from the trigger of this packet to its strobe. Colours are those of the slices.",
    unit: unit.name,
    how: ["Simulated: the run of the numbers above with the same seed, repeated with all activities recorded."],
    origin: ORIGIN,
  }));
  root.replaceChildren(chart, about, html("p", { class: "quiet" },
    beside ? "Thin bars are states in which no packet of this run waits, such as standby or listening; they add no latency." : ""));
}

/** Activities of a lane as one path for each kind. */
function merged(activities: Lane["activities"], x: (ns: number) => number, top: number): SVGElement[] {
  const places = new Map<string, [number, number, number, number][]>();
  for (const { kind, begin_ns, end_ns } of activities) {
    const inset = kind ? 0 : 5;
    const each = places.get(kind ?? "beside") ?? [];
    each.push([x(begin_ns), top + inset, Math.max(x(end_ns), x(begin_ns) + 0.5), top + BAR - inset]);
    places.set(kind ?? "beside", each);
  }
  return [...places].map(([kind, boxed]) => svg("path", { class: `slice ${kind}`, d: boxes(boxed) }));
}

function saidOf(lane: Lane, unit: Unit): string {
  const words = lane.activities.slice(0, 12).map(({ name, begin_ns, end_ns }) => `${name} ${inUnit(end_ns - begin_ns, unit)}`);
  const more = lane.activities.length > 12 ? ` and ${lane.activities.length - 12} more` : "";
  return `${lane.name}: ${words.join(", ")}${more}.`;
}
