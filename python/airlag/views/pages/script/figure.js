// Draws each panel when it nears the window, and again after changes of the state. The root element
// reports progress: data-charts, the number of panels; data-drawn and data-drawn-ms, how many are
// drawn and when the last was; data-failed, failures; data-ready and data-ready-ms, when the page
// became usable. Times are ms since the page's start.

/** Maximum data rows of an SVG panel; larger ones use a canvas for speed. */
const SVG_UP_TO = 4000;

const panels = [];
const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const panel = panels.find((each) => each.place === target);
      panel.near = isIntersecting;
      if (isIntersecting) panel.refresh();
    }
  },
  { rootMargin: "400px 0px" },
);

class Panel {
  constructor(chart, { title, run, spec, read }) {
    Object.assign(this, { chart, title, run, spec, read, view: null, near: false });
    this.meta = chart.spec.usermeta ?? {};
    /** State for which the panel was drawn; it is stale when that differs. */
    this.drawnFor = null;
    /** Visible range of the time axis; null: all of it. */
    this.zoomed = null;
    this.place = made("div", { className: "panel" });
    if (run !== null) this.place.dataset.run = run;
    if (title) this.place.append(made("h4", { textContent: title }));
    this.stage = made("div", { className: "stage", tabIndex: 0 });
    this.stage.setAttribute("role", "group");
    this.stage.setAttribute("aria-label", `${title || chart.said}: arrow keys read the marks`);
    this.words = made("p", { className: "aside" });
    const everywhere = this.meta.everywhere?.[run] ?? [];
    if (everywhere.length) {
      const said = `whole run: ${everywhere.join(", ")}`;
      this.place.append(made("a", { className: "everywhere", href: "#findings", textContent: said }));
    }
    this.place.append(this.stage, this.words);
    this.stage.style.minHeight = `${(spec.height ?? 300) + 60}px`;
  }

  /** Draws the panel if it is visible and stale. */
  async refresh(anyway = false) {
    const width = Math.floor(this.place.clientWidth);
    if ((!this.near && !anyway) || width === 0) return;
    const shown = page.shown && [...page.shown].join();
    const counting = this.meta.time ? page.counting : "";
    const wanted = [width, shown, counting, page.deadline, page.dark.matches].join("|");
    if (wanted === this.drawnFor) return;
    this.drawnFor = wanted;
    try {
      await this.draw(width);
      tell();
    } catch (error) {
      this.place.classList.add("failed");
      this.stage.textContent = `This chart could not be drawn: ${error.message}`;
      console.error(error);
      tell();
    }
  }

  async draw(width) {
    let spec = filtered(structuredClone(this.spec), this.meta);
    spec = withDeadline(zoomable(spec, this), this);
    const words = wordsOf(fitted(spec, width));
    const tables = Object.values(spec.datasets ?? {});
    const rows = tables.reduce((sum, each) => sum + (each.split?.("\n").length ?? 0), 0);
    const wanted = this.drawnFor;
    const drawing = made("div");
    const drawn = await embedded(drawing, recoloured(spec), rows <= SVG_UP_TO ? "svg" : "canvas");
    if (wanted !== this.drawnFor) {
      drawn.finalize();
      return;
    }
    this.drawn?.finalize();
    this.drawn = drawn;
    this.view = drawn.view;
    this.stage.replaceChildren(drawing);
    this.stage.style.minHeight = "";
    this.words.textContent = words.join(" · ");
    this.marks = null;
    this.place.dataset.state = "drawn";
    if (!this.attached) {
      this.attached = true;
      attachReading(this);
      if (this.meta.time) attachZoom(this);
    }
  }
}

/** Draws a specification with the page's own menus and tooltips. */
function embedded(place, spec, renderer) {
  return vegaEmbed(place, spec, { mode: "vega-lite", renderer, actions: false, tooltip: false });
}

function tell() {
  const states = panels.map((panel) => panel.place);
  root.dataset.charts = states.length;
  root.dataset.drawnMs = Math.round(performance.now());
  root.dataset.drawn = states.filter((place) => place.dataset.state === "drawn").length;
  root.dataset.failed = states.filter((place) => place.classList.contains("failed")).length;
}

/** Redraws visible panels; others are redrawn when they become visible. */
function refreshAll(anyway = false) {
  return Promise.all(panels.map((panel) => panel.refresh(anyway)));
}

/** Creates the panels of every chart of the page. */
function layOut() {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    const spec = JSON.parse(document.getElementById(`spec-${figure.dataset.chart}`).textContent);
    const chart = { figure, spec, said: figure.querySelector("h3")?.textContent ?? "" };
    const own = panelsOf(structuredClone(spec)).map((each) => new Panel(chart, each));
    figure.querySelector(".panels").replaceChildren(...own.map((panel) => panel.place));
    panels.push(...own);
    offerFiles(chart);
  }
  const resized = new ResizeObserver(() => refreshAll());
  for (const panel of panels) {
    near.observe(panel.place);
    resized.observe(panel.place);
  }
  page.dark.addEventListener("change", () => refreshAll());
  addEventListener("beforeprint", () => refreshAll(true));
  tell();
}

/** Offers a chart as SVG and PNG in the light scheme, at the width of a picture report. */
function offerFiles({ figure, spec }) {
  const offered = ["svg", "png"].map((kind) => {
    const button = made("button", { type: "button", textContent: kind.toUpperCase() });
    button.setAttribute("aria-label", `Save this chart as ${kind.toUpperCase()}`);
    button.addEventListener("click", async () => {
      const { view, finalize } = await embedded(made("div"), spec, "svg");
      const address = await view.toImageURL(kind, 2);
      made("a", { href: address, download: `airlag-${figure.dataset.chart}.${kind}` }).click();
      finalize();
    });
    return button;
  });
  figure.querySelector("figcaption").append(made("p", { className: "files screen" }, ...offered));
}
