// Draws each panel when it nears the window, and again after changes of the state. The root element
// reports progress: data-charts, the number of panels; data-drawn and data-drawn-ms, how many are
// drawn and when the last was; data-failed, failures; data-ready and data-ready-ms, when the page
// became usable. Times are ms since the page's start.

import { button, html } from "../elements.ts";
import { recoloured } from "./dark.ts";
import { withDeadline } from "./deadline.ts";
import { fitted, wordsOf } from "./fit.ts";
import { panelsOf, type Part } from "./panels.ts";
import { attachReading, type Place, type Series } from "./reading.ts";
import { filtered, type Table } from "./rows.ts";
import { embeddedJson, page, root, type Counting } from "./state.ts";
import { embedded, type Drawing, type Spec, type View } from "./vega.ts";
import { attachZoom, zoomable, type Range } from "./zoom.ts";

/** Maximum data rows of an SVG panel; larger ones use a canvas for speed. */
const SVG_UP_TO = 4000;

export const panels: Panel[] = [];

const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const panel = panels.find((each) => each.place === target);
      if (!panel) continue;
      panel.near = isIntersecting;
      if (isIntersecting) void panel.refresh();
    }
  },
  { rootMargin: "400px 0px" },
);

/** A chart of the page. */
interface Chart {
  readonly figure: HTMLElement;
  readonly name: string;
  readonly spec: Spec;
  readonly said: string;
}

export class Panel {
  readonly place: HTMLElement;
  readonly stage: HTMLElement;
  readonly meta: Spec;
  readonly run: number | null;
  readonly read: Part["read"];
  readonly spec: Spec;
  view: View | null = null;
  near = false;
  /** Visible range of the time axis; null: all of it. */
  zoomed: Range | null = null;
  whole: Range = [0, 1];
  counted: Counting | undefined;
  isDragging = false;
  reset: HTMLElement | undefined;
  /** Marks with tooltips, of the present drawing. */
  marks: Place[] | null = null;
  /** Index of the mark that the keys have reached. */
  at: number | undefined;
  series: Series | undefined;
  /** Crosshair, its value, and the ring around a mark: at most one of each. */
  readonly line = html("div", { class: "crosshair" });
  readonly reading = html("div", { class: "reading" });
  readonly ring = html("div", { class: "ring" });
  /** State for which the panel was drawn; it is stale when that differs. */
  private drawnFor = "";
  private drawing: Drawing | undefined;
  private readonly aside = html("p", { class: "aside" });

  constructor(chart: Chart, { title, run, spec, read }: Part) {
    [this.run, this.spec, this.read] = [run, spec, read];
    this.meta = chart.spec["usermeta"] ?? {};
    this.stage = html("div", { class: "stage", tabindex: 0, role: "group", "aria-label": `${title || chart.said}: arrow keys read the marks` });
    this.stage.style.minHeight = `${(spec["height"] ?? 300) + 60}px`;
    const everywhere: string[] = this.meta["everywhere"]?.[run ?? -1] ?? [];
    this.place = html("div", { class: "panel", "data-run": run },
      title ? html("h4", {}, title) : null,
      everywhere.length ? html("a", { class: "everywhere", href: "#findings" }, `whole run: ${everywhere.join(", ")}`) : null,
      this.stage, this.aside);
  }

  /** Draws the panel if it is visible and stale. */
  async refresh(anyway = false): Promise<void> {
    const width = Math.floor(this.place.clientWidth);
    if ((!this.near && !anyway) || width === 0) return;
    const shown = page.shown && [...page.shown].join();
    const wanted = [width, shown, this.meta["time"] ? page.counting : "", page.deadline, page.dark.matches].join("|");
    if (wanted === this.drawnFor) return;
    this.drawnFor = wanted;
    try {
      await this.draw(width);
    } catch (error) {
      this.place.classList.add("failed");
      this.stage.textContent = `This chart could not be drawn: ${error instanceof Error ? error.message : String(error)}`;
      console.error(error);
    }
    reportProgress();
  }

  private async draw(width: number): Promise<void> {
    const wanted = this.drawnFor;
    const spec = withDeadline(zoomable(filtered(structuredClone(this.spec), this.meta), this), this);
    const words = wordsOf(fitted(spec, width));
    const tables = Object.values<Table>(spec["datasets"] ?? {});
    const rows = tables.reduce((sum, each) => sum + (typeof each === "string" ? each.split("\n").length : 0), 0);
    const place = html("div");
    const drawing = await embedded(place, recoloured(spec), rows <= SVG_UP_TO ? "svg" : "canvas");
    if (wanted !== this.drawnFor) return drawing.finalize();
    this.drawing?.finalize();
    const isFirst = !this.drawing;
    this.drawing = drawing;
    this.view = drawing.view;
    this.stage.replaceChildren(place);
    this.stage.style.minHeight = "";
    this.aside.textContent = words.join(" · ");
    this.marks = null;
    this.place.dataset["state"] = "drawn";
    if (!isFirst) return;
    attachReading(this);
    if (this.meta["time"]) attachZoom(this);
  }
}

function reportProgress(): void {
  const places = panels.map((panel) => panel.place);
  const progress = {
    charts: places.length,
    drawnMs: Math.round(performance.now()),
    drawn: places.filter((place) => place.dataset["state"] === "drawn").length,
    failed: places.filter((place) => place.classList.contains("failed")).length,
  };
  for (const [name, value] of Object.entries(progress)) root.dataset[name] = String(value);
}

/** Redraws visible panels; others are redrawn when they become visible. */
export async function refreshAll(anyway = false): Promise<void> {
  await Promise.all(panels.map((panel) => panel.refresh(anyway)));
}

/** Creates the panels of every chart of the page. */
export function layOut(): void {
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-chart]")) {
    const name = figure.dataset["chart"] ?? "";
    const spec = embeddedJson<Spec>(`spec-${name}`, {});
    const chart = { figure, name, spec, said: figure.querySelector("h3")?.textContent ?? "" };
    const own = panelsOf(structuredClone(spec)).map((each) => new Panel(chart, each));
    figure.querySelector(".panels")?.replaceChildren(...own.map((panel) => panel.place));
    panels.push(...own);
    offerFiles(chart);
  }
  const resized = new ResizeObserver(() => void refreshAll());
  for (const { place } of panels) {
    near.observe(place);
    resized.observe(place);
  }
  page.dark.addEventListener("change", () => void refreshAll());
  addEventListener("beforeprint", () => void refreshAll(true));
  reportProgress();
}

/** Offers a chart as SVG and PNG in the light scheme, at the width of a picture report. */
function offerFiles({ figure, name, spec }: Chart): void {
  const save = async (kind: string) => {
    const { view, finalize } = await embedded(html("div"), structuredClone(spec), "svg");
    html("a", { href: await view.toImageURL(kind, 2), download: `airlag-${name}.${kind}` }).click();
    finalize();
  };
  const offered = ["svg", "png"].map((kind) =>
    button(kind.toUpperCase(), () => void save(kind), { "aria-label": `Save this chart as ${kind.toUpperCase()}` }));
  figure.querySelector("figcaption")?.append(html("p", { class: "files screen" }, ...offered));
}
