// Fits a panel to the available width; on narrow screens, side text moves below the panel.

/** Width below which a panel has no space for side text, px. */
const NARROW = 640;
/** Character width of labels that the chart layout assumes, px. */
const LETTER = 6.2;

/** Wraps text to lines of a maximum length. */
function wrapped(text, most) {
  const lines = [""];
  // Names without spaces may break after a hyphen or a slash.
  for (const piece of String(text).split(/(?<=[ /_-])/)) {
    const line = lines[lines.length - 1];
    if (line && line.length + piece.trimEnd().length > most) lines.push(piece);
    else lines[lines.length - 1] = line + piece;
  }
  return lines.length > 1 ? lines : lines[0];
}

/** Whether a layer is text to the right of the plot. */
function isAside({ mark, encoding }) {
  return mark?.type === "text" && mark.dx > 0 && encoding?.x?.value === "width";
}

/** Fits a panel to a width, px; returns the texts that do not fit. */
function fitted(spec, width) {
  const narrow = width < NARROW;
  const aside = [];
  if (narrow && spec.layer) {
    spec.layer = spec.layer.filter((layer) => {
      if (!isAside(layer)) return true;
      aside.push(spec.datasets[layer.data?.name]);
      return false;
    });
  }
  spec.width = width;
  spec.autosize = { type: "fit-x", contains: "padding" };
  if (narrow) spec.config = { ...spec.config, padding: 6 };
  const room = width - (narrow ? 60 : 210);
  for (const node of nodes(spec)) {
    if (node.axis) fitAxis(node, room, narrow);
    if (node.legend) fitLegend(node, width, spec);
  }
  return aside.filter(Boolean);
}

function fitAxis(channel, room, narrow) {
  const axis = channel.axis;
  if (channel.scale?.reverse) {
    // Axes without labels only align the charts of a page.
    if (narrow && axis.labels === false) axis.minExtent = 0;
    return;
  }
  // The length of a vertical title is the panel's height, which does not change.
  const down = axis.minExtent !== undefined;
  if (down && narrow) axis.minExtent = 30;
  if (!down) {
    if (axis.title) axis.title = wrapped([axis.title].flat().join(" "), room / LETTER);
    if (axis.tickCount) axis.tickCount = Math.max(3, Math.min(axis.tickCount, room / 70));
    axis.labelOverlap = "greedy";
  }
}

/** Legend labels by value: those of the chart, or the values themselves. */
function labelsOf({ legend, scale, field }, spec) {
  const worded = /^\((.*)\)\[datum\.label\]$/.exec(legend.labelExpr ?? "");
  if (worded) return JSON.parse(worded[1]);
  const rows = Object.values(spec.datasets ?? {}).filter(Array.isArray).flat();
  const there = rows.filter((row) => field in row).map((row) => String(row[field]));
  const values = legend.values ?? scale?.domain ?? there;
  return Object.fromEntries(values.map((value) => [value, String(value)]));
}

function fitLegend(channel, width, spec) {
  const { legend } = channel;
  const labels = labelsOf(channel, spec);
  // Two legends at one side would be side by side, so the right one moves to the top.
  if (width < NARROW && legend.orient !== "bottom") {
    Object.assign(legend, { orient: "top", direction: "horizontal" });
  }
  // Aligns the legend with the plot.
  const room = width - 80;
  const each = 60 + LETTER * Math.max(1, ...Object.values(labels).map((name) => name.length));
  if (legend.orient === "bottom") legend.columns = Math.max(1, Math.floor(room / each));
  legend.labelLimit = width;
  if (each > room) {
    const lines = Object.entries(labels).map(([value, name]) => [
      value,
      wrapped(name, (room - 60) / LETTER),
    ]);
    legend.labelExpr = `(${JSON.stringify(Object.fromEntries(lines))})[datum.label] || datum.label`;
  }
}

/** Side text of a panel by run, or line by line for a single run. */
function wordsOf(tables) {
  const [lines, ofRuns] = [[], new Map()];
  for (const table of tables) {
    const [head, ...rows] = table.trimEnd().split("\n");
    const names = head.split(",");
    const [at, of] = [names.indexOf("text"), names.indexOf("r")];
    const all = new RegExp(`^(?:[^,]*,){${at}}("(?:[^"]|"")*"|[^,]*)`);
    for (const row of rows) {
      const cell = all.exec(row)?.[1] ?? "";
      const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
      if (!text) continue;
      if (of < 0) {
        lines.push(text);
        continue;
      }
      const run = Number(row.split(",", of + 1)[of]);
      ofRuns.set(run, [...(ofRuns.get(run) ?? []), text]);
    }
  }
  const named = [...ofRuns].map(([number, texts]) => {
    const run = runs.find((each) => each.number === number);
    return `${run?.name ?? ""}: ${texts.join(", ")}`;
  });
  return [...lines, ...named];
}
