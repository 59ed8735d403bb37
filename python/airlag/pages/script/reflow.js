// A panel in the width there is. Where there is little, the words beside it go below it.

/** Below this width, px, a panel has no room for words at its right. */
const NARROW = 640;
/** Width of a letter of a label, px, as the charts are laid out with. */
const LETTER = 6.2;

/** A text in lines of so many letters. */
function wrapped(text, most) {
  const lines = [""];
  for (const word of String(text).split(" ")) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length >= most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.length > 1 ? lines : lines[0];
}

/** Whether a layer is words that begin where the plot ends. */
function isAside({ mark, encoding }) {
  return mark?.type === "text" && mark.dx > 0 && encoding?.x?.value === "width";
}

/** Sets a panel to a width, px; words that find no room in it are returned. */
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
    if (node.legend) fitLegend(node, width);
  }
  return aside.filter(Boolean);
}

function fitAxis(channel, room, narrow) {
  const axis = channel.axis;
  if (channel.scale?.reverse) {
    // An axis without labels only keeps the charts of a page in line.
    if (narrow && axis.labels === false) axis.minExtent = 0;
    return;
  }
  // A title up the side has the height of the panel, which does not change.
  const down = axis.minExtent !== undefined;
  if (down && narrow) axis.minExtent = 30;
  if (!down) {
    if (axis.title) axis.title = wrapped([axis.title].flat().join(" "), room / LETTER);
    if (axis.tickCount) axis.tickCount = Math.max(3, Math.min(axis.tickCount, room / 70));
    axis.labelOverlap = axis.labelOverlap ?? true;
    axis.labelBound = narrow;
  }
}

function fitLegend(channel, width) {
  const names = channel.legend.values ?? channel.scale?.domain ?? [];
  const longest = Math.max(1, ...names.map((name) => String(name).length));
  const each = 60 + LETTER * longest;
  channel.legend.columns = Math.max(1, Math.floor((width - 40) / each));
  channel.legend.labelLimit = width;
  if (each > width - 20) {
    const lines = names.map((name) => [name, wrapped(name, (width - 90) / LETTER)]);
    channel.legend.labelExpr =
      `(${JSON.stringify(Object.fromEntries(lines))})[datum.label] || datum.label`;
  }
}

/** Words of tables that were beside a panel: a line a run, or a line each where it is of one. */
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
