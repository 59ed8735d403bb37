// A chart is cut into the panels it is made of: each is drawn when it comes into view, and gets
// the width there is.

/** Every node of a specification, from the top; its look and its tables have none. */
function* nodes(value) {
  if (value === null || typeof value !== "object") return;
  yield value;
  for (const [key, each] of Object.entries(value)) {
    if (key !== "config" && key !== "datasets") yield* nodes(each);
  }
}

/** The names of the tables that a part of a specification draws. */
function tablesOf(part) {
  const found = new Set();
  for (const node of nodes(part)) {
    if (typeof node.data?.name === "string") found.add(node.data.name);
    if (typeof node.from?.data?.name === "string") found.add(node.from.data.name);
  }
  return found;
}

/** Cuts a chart into panels. Each has a title, a run if it is of one, and a specification. */
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
    // Panels below each other have one legend, below the last.
    if (at < found.length - 1) {
      for (const node of nodes(panel.spec)) if (node.legend) node.legend = null;
    }
  });
  return found;
}
