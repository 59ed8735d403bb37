// The message under the pointer: its number and latency, and a click to follow it.

import { count, inUnit, type Unit } from "../amounts/format.ts";
import type { Frame } from "../charts/axes.ts";
import type { Scale } from "../charts/scale.ts";
import { html, svg } from "../elements.ts";
import { nearest, type Messages } from "./series.ts";

/** Farthest distance of the pointer from a message, px. */
const NEAR = 16;

export interface Places {
  readonly frame: Frame;
  readonly x: Scale;
  /** Scale of latencies in `unit`. */
  readonly y: Scale;
  readonly unit: Unit;
}

/** Lets a chart be read with the pointer. `chosen` takes the index of a message. */
export function pickable(chart: SVGSVGElement, messages: Messages, { x, y, unit }: Places, chosen: (message: number) => void): HTMLElement {
  const ring = svg("circle", { class: "ring", r: 6, visibility: "hidden" });
  const tip = html("div", { class: "tip", hidden: true });
  chart.append(ring);
  const stage = html("div", { class: "stage" }, chart, tip);
  const found = (event: PointerEvent | MouseEvent) => {
    const box = chart.getBoundingClientRect();
    return nearest(messages.points, (s) => x(s), (ns) => y(ns / unit.size), event.clientX - box.left, event.clientY - box.top, NEAR);
  };
  const hide = () => {
    ring.setAttribute("visibility", "hidden");
    tip.hidden = true;
  };
  chart.addEventListener("pointermove", (event) => {
    const at = found(event);
    if (!at) return hide();
    const [s, ns, index] = at;
    const [left, top] = [x(s), y(ns / unit.size)];
    ring.setAttribute("cx", String(left));
    ring.setAttribute("cy", String(top));
    ring.setAttribute("visibility", "visible");
    tip.textContent = `message ${count(index + 1)}: ${inUnit(ns, unit)}; click to follow it`;
    tip.classList.add("below");
    tip.style.top = `${top + 12}px`;
    const width = chart.clientWidth;
    tip.style.left = left < width / 2 ? `${left}px` : "";
    tip.style.right = left < width / 2 ? "" : `calc(100% - ${left}px)`;
    tip.hidden = false;
  });
  chart.addEventListener("pointerleave", hide);
  chart.addEventListener("click", (event) => {
    const at = found(event);
    if (at) chosen(at[2]);
  });
  return stage;
}
