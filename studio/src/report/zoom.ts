// Zoom of the time axis, in seconds or transfers. Dragging selects or moves a range; the wheel,
// + and - zoom; shift and arrow keys move; 0 or a double click resets.

import { button, html } from "../elements.ts";
import type { Panel } from "./panel.ts";
import { leave } from "./reading.ts";
import { page } from "./state.ts";
import type { Spec } from "./vega.ts";

export type Range = readonly [from: number, to: number];

/** Binds a panel's time axis to two signals, in the page's unit of time. */
export function zoomable(spec: Spec, panel: Panel): Spec {
  const time = panel.meta["time"];
  if (!time) return spec;
  const { counting } = page;
  const { title, ends } = time[counting];
  const end: number = ends[panel.run ?? 0];
  panel.whole = [counting === "i" ? -0.5 : 0, end];
  // A selected range is kept while the unit stays the same.
  if (panel.counted !== counting) panel.zoomed = null;
  panel.counted = counting;
  if (panel.reset) panel.reset.hidden = panel.zoomed === null;
  const [from, to] = panel.zoomed ?? panel.whole;
  spec["params"] = [
    { name: "from", value: from },
    { name: "to", value: to },
  ];
  for (const layer of spec["layer"] as Spec[]) {
    const { x, x2 } = layer["encoding"] ?? {};
    if (x?.field !== "x") continue;
    x.scale = { ...x.scale, domain: [{ expr: "from" }, { expr: "to" }] };
    x.axis = { ...x.axis, title };
    x.field = counting;
    if (x2) {
      x2.field = counting === "i" ? "i2" : "x2";
      layer["mark"].clip = true;
      continue;
    }
    layer["transform"] = [
      ...(layer["transform"] ?? []),
      { calculate: `datum.${counting}`, as: "_at" },
      { filter: "datum._at >= from && datum._at <= to" },
    ];
  }
  return spec;
}

/** Shows a range of the axis, limited to its ends. */
function zoomTo(panel: Panel, [from, to]: Range): void {
  const [first, last] = panel.whole;
  const least = (last - first) / 1e5;
  const wide = Math.min(Math.max(to - from, least), last - first);
  const begin = Math.min(Math.max(from, first), last - wide);
  panel.zoomed = wide < last - first ? [begin, begin + wide] : null;
  if (panel.reset) panel.reset.hidden = panel.zoomed === null;
  panel.place.dataset["zoomed"] = panel.zoomed ? panel.zoomed.join() : "";
  leave();
  void panel.view?.signal("from", begin).signal("to", begin + wide).runAsync().then(() => (panel.marks = null));
}

/** Zooms by a factor around a position of the axis; by default around its middle. */
function zoomBy(panel: Panel, factor: number, about?: number): void {
  const [from, to] = panel.zoomed ?? panel.whole;
  const at = about ?? (from + to) / 2;
  zoomTo(panel, [at - (at - from) * factor, at + (to - at) * factor]);
}

function moveBy(panel: Panel, share: number): void {
  const [from, to] = panel.zoomed ?? panel.whole;
  zoomTo(panel, [from + share * (to - from), to + share * (to - from)]);
}

/** Time of the last page scroll, so that scrolling does not stop at a chart. */
let scrolled = -Infinity;
addEventListener("scroll", () => (scrolled = performance.now()), { passive: true });

export function attachZoom(panel: Panel): void {
  const { stage, place } = panel;
  const whole = () => zoomTo(panel, panel.whole);
  panel.reset = button("whole run", whole, { class: "reset screen", hidden: true });
  place.append(panel.reset);
  let pointed = -Infinity;
  stage.addEventListener("pointermove", () => (pointed = performance.now()));
  stage.addEventListener(
    "wheel",
    (event) => {
      const meant = document.activeElement === stage || event.ctrlKey || pointed > scrolled + 250;
      if (!meant || !panel.view) return;
      event.preventDefault();
      zoomBy(panel, event.deltaY > 0 ? 1.25 : 0.8, instant(panel, event));
    },
    { passive: false },
  );
  stage.addEventListener("dblclick", whole);
  stage.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    const does: (() => void) | undefined = {
      "+": () => zoomBy(panel, 0.5),
      "=": () => zoomBy(panel, 0.5),
      "-": () => zoomBy(panel, 2),
      0: whole,
      ...(shiftKey && { ArrowLeft: () => moveBy(panel, -0.25), ArrowRight: () => moveBy(panel, 0.25) }),
    }[key];
    if (!does || !panel.view || ctrlKey || metaKey) return;
    event.preventDefault();
    does();
  });
  attachDrag(panel);
}

/** Position of the pointer on the time axis. */
function instant({ stage, view }: Panel, { clientX }: MouseEvent): number {
  if (!view) return 0;
  const x = clientX - stage.getBoundingClientRect().left - view.origin()[0];
  return view.scale("x").invert?.(Math.max(0, Math.min(x, view.width()))) ?? 0;
}

function attachDrag(panel: Panel): void {
  const { stage } = panel;
  const chosen = html("div", { class: "chosen" });
  stage.addEventListener("pointerdown", (event) => {
    const { view, zoomed } = panel;
    if (!view || event.button !== 0) return;
    const begin = { x: event.clientX, at: instant(panel, event) };
    const box = stage.getBoundingClientRect();
    const move = ({ clientX }: PointerEvent) => {
      if (!panel.isDragging && Math.abs(clientX - begin.x) < 4) return;
      if (!panel.isDragging) {
        panel.isDragging = true;
        stage.setPointerCapture(event.pointerId);
        leave();
      }
      if (zoomed) {
        const [from, to] = zoomed;
        const by = ((begin.x - clientX) / view.width()) * (to - from);
        zoomTo(panel, [from + by, to + by]);
        return;
      }
      chosen.style.left = `${Math.min(begin.x, clientX) - box.left}px`;
      chosen.style.width = `${Math.abs(clientX - begin.x)}px`;
      stage.append(chosen);
    };
    const end = (ended: PointerEvent) => {
      stage.removeEventListener("pointermove", move);
      chosen.remove();
      if (panel.isDragging && !zoomed && ended.type === "pointerup") {
        const at = instant(panel, ended);
        zoomTo(panel, [Math.min(begin.at, at), Math.max(begin.at, at)]);
      }
      panel.isDragging = false;
    };
    stage.addEventListener("pointermove", move);
    stage.addEventListener("pointerup", end, { once: true });
    stage.addEventListener("pointercancel", end, { once: true });
  });
}
