// Splits a chart into panels, each drawn when it becomes visible, at the available width.

/** All nodes of a specification, top down, except its style and tables. */
function* nodes(value) {
  if (value === null || typeof value !== "object") return;
  yield value;
  for (const [key, each] of Object.entries(value)) {
    if (key !== "config" && key !== "datasets") yield* nodes(each);
  }
}

/** Names of the tables that a part of a specification draws. */
function tablesOf(part) {
  const found = new Set();
  for (const node of nodes(part)) {
    if (typeof node.data?.name === "string") found.add(node.data.name);
    if (typeof node.from?.data?.name === "string") found.add(node.from.data.name);
  }
  return found;
}

/** Splits a chart into panels with title, run (if it shows only one) and specification. */
function panelsOf(spec) {
  const { vconcat: _, spacing: __, title: ___, usermeta = {}, datasets, ...shared } = spec;
  const found = [];
  const cut = (part, titles) => {
    const title = part.title?.text;
    const above = title ? [...titles, [title].flat().join(" ")] : titles;
    if (part.vconcat) {
      part.vconcat.forEach((each, at) => cut(each, at ? [] : above));
      return;
    }
    const { title: ____, usermeta: _____, ...own } = part;
    found.push({ title: above.join(": "), spec: { ...shared, ...own } });
  };
  if (spec.vconcat) spec.vconcat.forEach((each) => cut(each, []));
  else cut({ ...spec, title: undefined }, []);
  const { read = [], panels: of = [] } = usermeta;
  found.forEach((panel, at) => {
    const wanted = tablesOf(panel.spec);
    const own = Object.entries(datasets ?? {}).filter(([name]) => wanted.has(name));
    panel.spec.datasets = Object.fromEntries(own);
    panel.run = of.length ? of[at] : null;
    panel.read = read.length ? read[at % read.length] : null;
    // Stacked panels share one legend, below the last.
    if (at < found.length - 1) {
      for (const node of nodes(panel.spec)) if (node.legend) node.legend = null;
    }
  });
  return found;
}
