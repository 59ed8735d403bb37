// Zoom of the time axis, in seconds or transfers. Dragging selects or moves a range; the wheel,
// + and - zoom; shift and arrow keys move; 0 or a double click resets.

/** Binds a panel's time axis to two signals, in the page's unit of time. */
function zoomable(spec, panel) {
  if (!panel.meta.time) return spec;
  const { title, ends } = panel.meta.time[page.counting];
  const end = ends[panel.run];
  panel.whole = [page.counting === "i" ? -0.5 : 0, end];
  // A selected range is kept while the unit stays the same.
  if (panel.counted !== page.counting) panel.zoomed = null;
  panel.counted = page.counting;
  if (panel.reset) panel.reset.hidden = panel.zoomed === null;
  const [from, to] = panel.zoomed ?? panel.whole;
  spec.params = [
    { name: "from", value: from },
    { name: "to", value: to },
  ];
  const inside = "datum._at >= from && datum._at <= to";
  for (const layer of spec.layer) {
    const x = layer.encoding?.x;
    if (x?.field !== "x") continue;
    const { domain: _, ...scale } = x.scale;
    x.scale = { ...scale, domain: [{ expr: "from" }, { expr: "to" }] };
    x.axis = { ...x.axis, title };
    x.field = page.counting;
    if (layer.encoding.x2) {
      layer.encoding.x2.field = page.counting === "i" ? "i2" : "x2";
      layer.mark.clip = true;
      continue;
    }
    layer.transform = [
      ...(layer.transform ?? []),
      { calculate: `datum.${page.counting}`, as: "_at" },
      { filter: inside },
    ];
  }
  return spec;
}

/** Shows a range of the axis, limited to its ends. */
function zoomTo(panel, from, to) {
  const [first, last] = panel.whole;
  const least = (last - first) / 1e5;
  const wide = Math.min(Math.max(to - from, least), last - first);
  const begin = Math.min(Math.max(from, first), last - wide);
  panel.zoomed = wide < last - first ? [begin, begin + wide] : null;
  panel.reset.hidden = panel.zoomed === null;
  panel.place.dataset.zoomed = panel.zoomed ? panel.zoomed.join() : "";
  leave();
  panel.view.signal("from", begin).signal("to", begin + wide);
  panel.zooming = panel.view.runAsync().then(() => (panel.marks = null));
}

/** Zooms by a factor around a position of the axis. */
function zoomBy(panel, factor, about) {
  const [from, to] = panel.zoomed ?? panel.whole;
  const at = about ?? (from + to) / 2;
  zoomTo(panel, at - (at - from) * factor, at + (to - at) * factor);
}

function moveBy(panel, share) {
  const [from, to] = panel.zoomed ?? panel.whole;
  zoomTo(panel, from + share * (to - from), to + share * (to - from));
}

/** Time of the last page scroll, so that scrolling does not stop at a chart. */
let scrolled = -Infinity;
addEventListener("scroll", () => (scrolled = performance.now()), { passive: true });

function attachZoom(panel) {
  const { stage } = panel;
  panel.reset = made("button", { type: "button", className: "reset screen", hidden: true });
  panel.reset.textContent = "whole run";
  panel.reset.addEventListener("click", () => zoomTo(panel, ...panel.whole));
  panel.place.append(panel.reset);
  const instant = (event) => {
    const x = event.clientX - stage.getBoundingClientRect().left - panel.view.origin()[0];
    return panel.view.scale("x").invert(Math.max(0, Math.min(x, panel.view.width())));
  };
  let pointed = -Infinity;
  stage.addEventListener("pointermove", () => (pointed = performance.now()));
  stage.addEventListener(
    "wheel",
    (event) => {
      const meant = document.activeElement === stage || event.ctrlKey || pointed > scrolled + 250;
      if (!meant || !panel.view) return;
      event.preventDefault();
      zoomBy(panel, event.deltaY > 0 ? 1.25 : 0.8, instant(event));
    },
    { passive: false },
  );
  stage.addEventListener("dblclick", () => zoomTo(panel, ...panel.whole));
  stage.addEventListener("keydown", (event) => {
    const does = {
      "+": () => zoomBy(panel, 0.5),
      "=": () => zoomBy(panel, 0.5),
      "-": () => zoomBy(panel, 2),
      0: () => zoomTo(panel, ...panel.whole),
      ArrowLeft: event.shiftKey && (() => moveBy(panel, -0.25)),
      ArrowRight: event.shiftKey && (() => moveBy(panel, 0.25)),
    }[event.key];
    if (!does || !panel.view || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    does();
  });
  attachDrag(panel, instant);
}

function attachDrag(panel, instant) {
  const { stage } = panel;
  const chosen = made("div", { className: "chosen" });
  stage.addEventListener("pointerdown", (event) => {
    if (!panel.view || event.button !== 0) return;
    const begin = { x: event.clientX, at: instant(event), zoomed: panel.zoomed };
    const box = stage.getBoundingClientRect();
    const move = (moved) => {
      if (!panel.dragging && Math.abs(moved.clientX - begin.x) < 4) return;
      if (!panel.dragging) {
        panel.dragging = true;
        stage.setPointerCapture(event.pointerId);
        leave();
      }
      if (begin.zoomed) {
        const [from, to] = begin.zoomed;
        const by = ((begin.x - moved.clientX) / panel.view.width()) * (to - from);
        zoomTo(panel, from + by, to + by);
        return;
      }
      chosen.style.left = `${Math.min(begin.x, moved.clientX) - box.left}px`;
      chosen.style.width = `${Math.abs(moved.clientX - begin.x)}px`;
      stage.append(chosen);
    };
    const end = (ended) => {
      stage.removeEventListener("pointermove", move);
      chosen.remove();
      if (panel.dragging && !begin.zoomed && ended.type === "pointerup") {
        const [from, to] = [begin.at, instant(ended)].sort((a, b) => a - b);
        zoomTo(panel, from, to);
      }
      panel.dragging = false;
    };
    stage.addEventListener("pointermove", move);
    stage.addEventListener("pointerup", end, { once: true });
    stage.addEventListener("pointercancel", end, { once: true });
  });
}
