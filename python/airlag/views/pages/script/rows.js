// Removes filtered runs from a chart: their rows in every table, and their space.

/** A table without rows of hidden runs; `moved` maps runs to new row positions. */
function thinned(table, shown, moved) {
  if (typeof table !== "string") return table.filter((row) => !("r" in row) || shown.has(row.r));
  const [head, ...lines] = table.trimEnd().split("\n");
  const names = head.split(",");
  const at = names.indexOf("r");
  if (at < 0) return table;
  const places = ["y", "y2"].map((name) => names.indexOf(name)).filter((place) => place >= 0);
  const kept = [];
  for (const line of lines) {
    // Text columns come last, so earlier columns contain no quotation marks.
    const cells = line.split(",", Math.max(at, ...places) + 1);
    const run = Number(cells[at]);
    if (!shown.has(run)) continue;
    if (!moved) {
      kept.push(line);
      continue;
    }
    const rest = line.slice(cells.join(",").length);
    for (const place of places) cells[place] = String(Number(cells[place]) + moved.get(run));
    kept.push(cells.join(",") + rest);
  }
  return [head, ...kept].join("\n") + "\n";
}

/** A panel with only the visible runs. */
function filtered(spec, meta) {
  const { shown } = page;
  if (shown === null) return spec;
  const order = meta?.rows?.order;
  let moved = null;
  if (order) {
    const left = order.filter((run) => shown.has(run));
    moved = new Map(left.map((run, row) => [run, row - order.indexOf(run)]));
    spec.height = meta.rows.tall * Math.max(left.length, 1);
    const scale = { domain: [-0.5, Math.max(left.length, 1) - 0.5] };
    for (const node of nodes(spec)) if (node.reverse === true) Object.assign(node, scale);
  }
  for (const [name, table] of Object.entries(spec.datasets)) {
    spec.datasets[name] = thinned(table, shown, moved);
  }
  const names = runs.filter((run) => shown.has(run.number)).map((run) => run.name);
  for (const node of nodes(spec)) {
    if (node.field === "run" && node.legend) node.legend.values = names;
  }
  return spec;
}
