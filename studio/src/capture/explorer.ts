// The chart of a capture that zooms from the whole file to one pair of edges: wheel, drag, keyboard, buttons.

import { count, duration } from "../amounts/format.ts";
import { button, html } from "../elements.ts";
import { sentence } from "../explain/explanation.ts";
import { viewOf } from "./explain.ts";
import { extentOf } from "./edges.ts";
import { draw, layoutOf, strideOf, type Colours, type Picture } from "./plot.ts";
import { lowerBound, missingIn, within, type Transfers } from "./transfers.ts";
import { around, clamped, NARROWEST, panned, zoomed, type Span } from "./viewport.ts";

export interface Explorer {
  readonly element: HTMLElement;
  /** Shows a picture. With `keep`, the visible part stays. Otherwise, `part` is shown, or everything. */
  show(picture: Picture, keep: boolean, part?: Span): void;
  /** Shows a part of the picture, or everything. */
  look(part: Span | undefined): void;
  /** Zooms to a part, ns. */
  focus(from: number, to: number): void;
  close(): void;
}

/** Zoom of one step of the keyboard or of a button. */
const STEP = 2;
const HELP =
  "Wheel or + and −: zoom. Drag or ← and →: move. Home: the whole file. N and P: next and previous transfer. L: next lost transfer.";

/** `moved` is called with the visible part when a movement ends; without one, everything is visible. */
export function explorer(moved: (part: Span | undefined) => void): Explorer {
  const canvas = html("canvas", { tabindex: 0, role: "application", "aria-roledescription": "chart", "aria-describedby": "capture-help capture-range" });
  const range = html("p", { class: "range", id: "capture-range", role: "status" });
  const pointed = html("p", { class: "pointed" });
  let picture: Picture | undefined;
  let whole: Span = { from: 0, to: 1 };
  let span: Span = whole;
  let least = NARROWEST;
  let cursor: { at: number; transfer: number | undefined } | undefined;
  let colours: Colours | undefined;
  let scheduled = 0;
  let announced: ReturnType<typeof setTimeout> | undefined;

  const buttons = html("div", { class: "row", role: "group", "aria-label": "Visible part" },
    button("Whole file", () => go(whole)),
    button("Zoom in", () => zoom(1 / STEP)),
    button("Zoom out", () => zoom(STEP)),
    button("Earlier", () => go(panned(span, -0.5, whole, least))),
    button("Later", () => go(panned(span, 0.5, whole, least))),
    button("Previous transfer", () => transfer(-1)),
    button("Next transfer", () => transfer(1)),
    button("Next lost transfer", () => lost(), { class: "next-lost" }),
  );
  const element = html("div", { class: "explorer" }, buttons, canvas, range, pointed,
    html("p", { class: "quiet help", id: "capture-help" }, HELP));

  /** Draws at most once per frame. */
  function schedule(): void {
    scheduled ||= requestAnimationFrame(() => {
      scheduled = 0;
      paint();
    });
  }

  function paint(): void {
    const context = canvas.getContext("2d");
    const width = Math.floor(element.clientWidth);
    if (!picture || !context || width < 120) return;
    const layout = layoutOf(picture, width);
    const ratio = devicePixelRatio || 1;
    const [wide, tall] = [Math.round(width * ratio), Math.round(layout.height * ratio)];
    if (canvas.width !== wide || canvas.height !== tall) {
      canvas.width = wide;
      canvas.height = tall;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${layout.height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    colours ??= coloursOf(element);
    draw(context, picture, layout, span, colours, cursor);
  }

  function go(next: Span): void {
    span = clamped(next, whole, least);
    schedule();
    // Announced and reported when the movement ends.
    clearTimeout(announced);
    announced = setTimeout(() => {
      range.replaceChildren(...sentence("range", viewOf, picture ? rangeWords(picture, span) : ""));
      if (picture) moved(everything() ? undefined : span);
    }, 150);
  }

  function everything(): boolean {
    return span.from <= whole.from && span.to >= whole.to;
  }

  function zoom(factor: number, about = (span.from + span.to) / 2): void {
    go(zoomed(span, factor, about, whole, least));
  }

  /** The next transfer in a direction, counted from the one shown or from the middle of the view. */
  function transfer(step: 1 | -1): void {
    if (!picture) return;
    const { trigger_ns } = picture.transfers;
    const middle = (span.from + span.to) / 2;
    const present = cursor?.transfer ?? lowerBound(trigger_ns, middle) - (step > 0 ? 1 : 0);
    show(Math.min(Math.max(present + step, 0), trigger_ns.length - 1));
  }

  function lost(): void {
    if (!picture?.transfers.missing.length) return;
    const { missing } = picture.transfers;
    const after = lowerBound(missing, (cursor?.transfer ?? -1) + 1);
    show(missing[after === missing.length ? 0 : after] as number);
  }

  /** Zooms to one transfer, or around it if it has no completion. */
  function show(index: number): void {
    if (!picture) return;
    const { trigger_ns, completion_ns } = picture.transfers;
    const begin = trigger_ns[index];
    if (begin === undefined) return;
    const next = trigger_ns[index + 1] ?? whole.to;
    const end = picture.rows ? begin + 1 : completion_ns[index];
    cursor = { at: begin, transfer: index };
    pointed.replaceChildren(...sentence("pointed", viewOf, transferWords(picture, index)));
    go(around(begin, end === undefined || Number.isNaN(end) ? next : end, whole, least));
  }

  function instantAt(event: MouseEvent): number {
    const box = canvas.getBoundingClientRect();
    const { left, right } = layoutOf(picture as Picture, box.width);
    const share = (event.clientX - box.left - left) / (right - left);
    return span.from + Math.min(Math.max(share, 0), 1) * (span.to - span.from);
  }

  canvas.addEventListener("wheel", (event) => {
    if (!picture) return;
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    // With everything in view, a wheel that would zoom out scrolls the page.
    if (!sideways && event.deltaY > 0 && everything()) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (sideways) go(panned(span, (event.deltaX * lines) / canvas.clientWidth, whole, least));
    else zoom(2 ** ((event.deltaY * lines) / 200), instantAt(event));
  }, { passive: false });

  const fingers = new Map<number, PointerEvent>();
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!picture) return;
    const before = fingers.get(event.pointerId);
    if (before && fingers.size === 1) {
      const box = canvas.getBoundingClientRect();
      const { left, right } = layoutOf(picture, box.width);
      go(panned(span, (before.clientX - event.clientX) / (right - left), whole, least));
    } else if (before) {
      const other = [...fingers.values()].find((one) => one.pointerId !== event.pointerId);
      const [was, is] = [before, event].map((one) => Math.abs(one.clientX - (other?.clientX ?? 0)));
      if (was && is) zoom(was / is, instantAt(event));
    }
    if (before) fingers.set(event.pointerId, event);
    point(instantAt(event));
  });
  for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, ({ pointerId }) => fingers.delete(pointerId));
  canvas.addEventListener("pointerleave", () => {
    cursor = undefined;
    schedule();
  });
  canvas.addEventListener("dblclick", (event) => zoom(1 / 8, instantAt(event)));
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const done = keyed(event.key);
    if (done) event.preventDefault();
  });

  function keyed(key: string): boolean {
    switch (key) {
      case "+": case "=": zoom(1 / STEP); return true;
      case "-": case "_": zoom(STEP); return true;
      case "ArrowLeft": go(panned(span, -0.1, whole, least)); return true;
      case "ArrowRight": go(panned(span, 0.1, whole, least)); return true;
      case "PageUp": go(panned(span, -1, whole, least)); return true;
      case "PageDown": go(panned(span, 1, whole, least)); return true;
      case "Home": go(whole); return true;
      case "n": case "N": transfer(1); return true;
      case "p": case "P": transfer(-1); return true;
      case "l": case "L": lost(); return true;
      default: return false;
    }
  }

  function point(at: number): void {
    if (!picture) return;
    const nearest = nearestTransfer(picture.transfers, at);
    cursor = { at, transfer: nearest };
    pointed.replaceChildren(...sentence("pointed", viewOf, nearest === undefined ? "" : transferWords(picture, nearest)));
    schedule();
  }

  const resized = new ResizeObserver(schedule);
  resized.observe(element);
  const schemes = matchMedia("(prefers-color-scheme: dark)");
  const recolour = (): void => {
    colours = undefined;
    schedule();
  };
  schemes.addEventListener("change", recolour);

  return {
    element,
    show(next, keep, part) {
      const stays = keep && !everything();
      picture = next;
      least = next.rows ? 2 : NARROWEST;
      whole = wholeOf(next);
      if (!keep) cursor = undefined;
      pointed.textContent = "";
      buttons.querySelector<HTMLElement>(".next-lost")?.toggleAttribute("hidden", !next.transfers.missing.length);
      canvas.setAttribute("aria-label", labelOf(next));
      go(stays ? span : (part ?? whole));
    },
    look(part) {
      if (picture) go(part ?? whole);
    },
    focus(from, to) {
      go(around(from, to, whole, least));
      canvas.scrollIntoView({ block: "nearest" });
    },
    close() {
      resized.disconnect();
      schemes.removeEventListener("change", recolour);
      cancelAnimationFrame(scheduled);
      clearTimeout(announced);
    },
  };
}

/** From the first to the last instant of the capture. */
function wholeOf({ transfers, channels, rows }: Picture): Span {
  const { trigger_ns, completion_ns } = transfers;
  if (rows) return { from: 0, to: Math.max(trigger_ns.length, 2) };
  const extent = extentOf(channels);
  const first = trigger_ns[0] ?? 0;
  const last = Math.max(trigger_ns[trigger_ns.length - 1] ?? 1, completion_ns.findLast((one) => !Number.isNaN(one)) ?? 0);
  const [from, to] = extent ?? [first, last];
  const [begin, end] = [Math.min(from, first), Math.max(to, last)];
  return end > begin ? { from: begin, to: end } : { from: begin - 1000, to: begin + 1000 };
}

function nearestTransfer({ trigger_ns }: Transfers, at: number): number | undefined {
  const after = lowerBound(trigger_ns, at);
  const [before, next] = [trigger_ns[after - 1], trigger_ns[after]];
  if (before === undefined) return next === undefined ? undefined : after;
  return next !== undefined && next - at < at - before ? after : after - 1;
}

/** A time to the nanosecond, in s. */
function instant(ns: number): string {
  return `${(ns / 1e9).toFixed(9).replace(/\.?0+$/, "")}\u00a0s`;
}

function transferWords({ transfers, rows }: Picture, index: number): string {
  const latency = transfers.latency_ns[index] as number;
  const outcome = Number.isNaN(latency) ? "no completion" : `latency ${duration(latency)}`;
  if (rows) return `Row ${count(index)}: ${outcome}.`;
  return `Transfer ${count(index)}, triggered at ${instant(transfers.trigger_ns[index] as number)}: ${outcome}.`;
}

function rangeWords({ transfers, rows }: Picture, span: Span): string {
  const [first, end] = within(transfers, span.from, span.to);
  const lost = missingIn(transfers, first, end);
  const what = `${rows ? "row" : "transfer"}${end - first === 1 ? "" : "s"}`;
  const shown = rows
    ? `Rows ${count(Math.ceil(span.from))} to ${count(Math.floor(span.to))}`
    : `${instant(Math.round(span.from))} to ${instant(Math.round(span.to))} (${duration(span.to - span.from)})`;
  const every = strideOf(end - first);
  const drawn = every > 1 ? ` Dots: one of ${count(every)}. Light area: from the smallest to the largest latency.` : "";
  return `${shown}: ${count(end - first)} ${what}${lost ? `, ${count(lost)} without a completion` : ""}.${drawn}`;
}

function labelOf({ transfers, channels }: Picture): string {
  const levels = channels.length ? ", and the levels of both channels" : "";
  return `Latency of ${count(transfers.latency_ns.length)} transfers over time${levels}`;
}

function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: colour("ink"), quiet: colour("quiet"), grid: colour("grid"), paper: colour("paper"), mark: colour("mark"),
    bar: colour("bar"), lost: colour("lost"), cross: colour("cross"), second: colour("second"),
  };
}
