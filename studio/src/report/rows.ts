// Removes filtered runs from a chart: their rows in every table, and their space.

import { page, runs } from "./state.ts";
import { nodes, type Spec } from "./vega.ts";

/** A table: comma-separated values with a header, or rows. */
export type Table = string | readonly Spec[];

/** A table without rows of hidden runs; `moved` maps runs to new row positions. */
function thinned(table: Table, shown: ReadonlySet<number>, moved: ReadonlyMap<number, number> | null): Table {
  if (typeof table !== "string") return table.filter((row) => !("r" in row) || shown.has(row["r"]));
  const [head = "", ...lines] = table.trimEnd().split("\n");
  const names = head.split(",");
  const at = names.indexOf("r");
  if (at < 0) return table;
  const places = ["y", "y2"].map((name) => names.indexOf(name)).filter((place) => place >= 0);
  const kept = lines.flatMap((line) => {
    // Text columns come last, so earlier columns contain no quotation marks.
    const cells = line.split(",", Math.max(at, ...places) + 1);
    const run = Number(cells[at]);
    if (!shown.has(run)) return [];
    if (!moved) return [line];
    const rest = line.slice(cells.join(",").length);
    for (const place of places) cells[place] = String(Number(cells[place]) + (moved.get(run) ?? 0));
    return [cells.join(",") + rest];
  });
  return `${[head, ...kept].join("\n")}\n`;
}

/** A panel with only the visible runs. */
export function filtered(spec: Spec, meta: Spec): Spec {
  const { shown } = page;
  if (shown === null) return spec;
  const order = meta["rows"]?.order as number[] | undefined;
  let moved: Map<number, number> | null = null;
  if (order) {
    const left = order.filter((run) => shown.has(run));
    moved = new Map(left.map((run, row) => [run, row - order.indexOf(run)]));
    const room = Math.max(left.length, 1);
    spec["height"] = meta["rows"].tall * room;
    for (const node of nodes(spec)) if (node["reverse"] === true) node["domain"] = [-0.5, room - 0.5];
  }
  for (const [name, table] of Object.entries<Table>(spec["datasets"])) spec["datasets"][name] = thinned(table, shown, moved);
  const names = runs.filter((run) => shown.has(run.number)).map((run) => run.name);
  for (const node of nodes(spec)) {
    if (node["field"] === "run" && node["legend"]) node["legend"].values = names;
  }
  return spec;
}
