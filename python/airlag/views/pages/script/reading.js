// Reads values from a chart: a tooltip for the nearest mark, and a crosshair with the value of
// every series. Arrow keys move between marks.

/** Maximum distance of a mark from the pointer, px. */
const REACH = 40;

/** Marks with tooltips, with their positions in the picture, px. */
function marksOf(panel) {
  if (panel.marks) return panel.marks;
  const found = [];
  const [right, down] = panel.view.origin();
  const visit = (mark, x, y) => {
    for (const item of mark.items ?? []) {
      if (mark.marktype === "group") {
        for (const inner of item.items) visit(inner, x + (item.x ?? 0), y + (item.y ?? 0));
      } else if (item.tooltip && typeof item.tooltip === "object") {
        const line = mark.marktype === "line" || mark.marktype === "area";
        const { x1, y1, x2, y2 } = line
          ? { x1: item.x, x2: item.x, y1: item.y, y2: item.y }
          : item.bounds;
        const [left, top] = [x + right, y + down];
        found.push({ x1: left + x1, y1: top + y1, x2: left + x2, y2: top + y2, item });
      }
    }
  };
  for (const group of panel.view.scenegraph().root.items) {
    for (const mark of group.items) visit(mark, 0, 0);
  }
  panel.marks = found.sort((a, b) => a.x1 - b.x1);
  return panel.marks;
}

/** Nearest mark within reach of a position. */
function nearest(panel, x, y) {
  let [best, least] = [null, REACH * REACH];
  for (const mark of marksOf(panel)) {
    const right = Math.max(mark.x1 - x, 0, x - mark.x2);
    const down = Math.max(mark.y1 - y, 0, y - mark.y2);
    const far = right * right + down * down;
    // Under the pointer the smallest mark wins; among equals the topmost.
    const size = (mark.x2 - mark.x1) * (mark.y2 - mark.y1) * 1e-6;
    if (far + size <= least) [best, least] = [mark, far + size];
  }
  return best;
}

/** Values of every series at a position of the axis. */
function readOff(panel, at) {
  const { header, y, how, words, unit } = panel.read;
  panel.series ??= seriesOf(panel, header);
  const told = [];
  for (const [run, points] of panel.series) {
    if (page.shown && !page.shown.has(run)) continue;
    const value = valueAt(points.x, points[y], at, how);
    if (value === null) continue;
    const name = runs.find((each) => each.number === run)?.name ?? "";
    told.push([name, unit === "%" ? percent(value) : `${number(value)} ${unit}`.trim()]);
  }
  const [what, of] = words;
  // The percentile axis is a logit axis, which widens the tail.
  const where = of === "logit" ? percent(1 / (1 + Math.exp(-at))) : `${number(at)} ${of}`;
  return [[what, where], ...told];
}

function seriesOf(panel, header) {
  const table = Object.values(panel.spec.datasets).find((each) => each.startsWith?.(header + "\n"));
  const found = new Map();
  const all = columns(table);
  all.r.forEach((run, row) => {
    if (!found.has(run)) found.set(run, Object.fromEntries(Object.keys(all).map((k) => [k, []])));
    for (const name of Object.keys(all)) found.get(run)[name].push(all[name][row]);
  });
  return found;
}

function valueAt(x, y, at, how) {
  if (at < x[0] || at > x[x.length - 1]) return null;
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (x[middle] <= at) low = middle;
    else high = middle - 1;
  }
  if (how === "step" || low === x.length - 1) return y[low];
  const share = (at - x[low]) / (x[low + 1] - x[low] || 1);
  return y[low] + share * (y[low + 1] - y[low]);
}

/** Moves the crosshair of a panel, and shows its position on the axis. */
function cross(panel, at) {
  const [right, down] = panel.view.origin();
  const line = (panel.line ??= made("div", { className: "crosshair" }));
  if (line.parentNode !== panel.stage) panel.stage.append(line);
  line.style.left = `${right + panel.view.scale("x")(at)}px`;
  line.style.top = `${down}px`;
  line.style.height = `${panel.view.height()}px`;
}

/** Marks where the crosshair meets transfers of other panels on the same time axis. */
function crossOthers(panel, at) {
  for (const other of panels) {
    if (!other.meta.time || !other.near || !other.view) continue;
    const [first, last] = other.view.scale("x").domain();
    if (at < first || at > last) {
      other.line?.remove();
      other.reading?.remove();
      continue;
    }
    cross(other, at);
    if (other === panel) continue;
    const x = other.view.origin()[0] + other.view.scale("x")(at);
    const found = closest(marksOf(other), x);
    if (!found) continue;
    const reading = (other.reading ??= made("div", { className: "reading" }));
    if (reading.parentNode !== other.stage) other.stage.append(reading);
    reading.textContent = Object.entries(found.item.tooltip)
      .map(([name, value]) => `${name} ${value}`)
      .join(" · ");
    reading.style.left = `${Math.min(x + 6, other.stage.clientWidth * 0.5)}px`;
  }
}

function closest(marks, x) {
  let best = null;
  for (const mark of marks) {
    const far = Math.abs((mark.x1 + mark.x2) / 2 - x);
    if (!best || far < best.far) best = { far, item: mark.item };
  }
  return best;
}

/** Hides the crosshair and tooltip. */
function leave() {
  tip.hidden = true;
  for (const panel of panels) {
    panel.line?.remove();
    panel.reading?.remove();
    panel.ring?.remove();
  }
}

/** Highlights a mark and shows its tooltip. */
function point(panel, mark, also = []) {
  const ring = (panel.ring ??= made("div", { className: "ring" }));
  if (ring.parentNode !== panel.stage) panel.stage.append(ring);
  ring.style.left = `${(mark.x1 + mark.x2) / 2}px`;
  ring.style.top = `${(mark.y1 + mark.y2) / 2}px`;
  const box = panel.stage.getBoundingClientRect();
  const right = box.left + (mark.x1 + mark.x2) / 2;
  showTip([...also, ...Object.entries(mark.item.tooltip)], right, box.top + mark.y2);
}

function attachReading(panel) {
  const { stage } = panel;
  const place = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  stage.addEventListener("pointermove", (event) => {
    if (!panel.view || panel.dragging) return;
    const [x, y] = place(event);
    const [right] = panel.view.origin();
    const scale = panel.view.scale("x");
    const inside = x >= right && x <= right + panel.view.width() && scale?.invert;
    leave();
    if (panel.read && inside) {
      const at = scale.invert(x - right);
      cross(panel, at);
      showTip(readOff(panel, at), event.clientX, event.clientY);
      return;
    }
    if (panel.meta.time && inside) crossOthers(panel, scale.invert(x - right));
    const mark = nearest(panel, x, y);
    if (mark) point(panel, mark);
  });
  stage.addEventListener("pointerleave", leave);
  stage.addEventListener("blur", leave);
  stage.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") leave();
    if (!step || event.shiftKey || !panel.view) return;
    event.preventDefault();
    leave();
    const marks = marksOf(panel);
    if (!marks.length) return;
    const last = marks.length - 1;
    panel.at = Math.max(0, Math.min(last, (panel.at ?? (step > 0 ? -1 : last + 1)) + step));
    point(panel, marks[panel.at]);
  });
}
