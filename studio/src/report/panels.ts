// Splits a chart into panels, each drawn when it becomes visible, at the available width.

import { nodes, type Spec } from "./vega.ts";

/** How the series of a panel are read off: the table with this header, its column, and units. */
export interface Read {
  readonly header: string;
  readonly y: string;
  readonly how: string;
  readonly words: readonly [what: string, of: string];
  readonly unit: string;
}

/** A panel of a chart. */
export interface Part {
  readonly title: string;
  /** Its run, if it shows only one. */
  readonly run: number | null;
  readonly spec: Spec;
  readonly read: Read | null;
}

/** Names of the tables that a part of a specification draws. */
function tablesOf(part: Spec): Set<string> {
  const found = new Set<string>();
  for (const node of nodes(part)) {
    for (const name of [node["data"]?.name, node["from"]?.data?.name]) if (typeof name === "string") found.add(name);
  }
  return found;
}

/** The panels of a chart, top down. Stacked panels share one legend, below the last. */
export function panelsOf(whole: Spec): Part[] {
  const { vconcat: _, spacing: __, title: ___, usermeta = {}, datasets, ...shared } = whole;
  const found: { title: string; spec: Spec }[] = [];
  const cut = (part: Spec, titles: readonly string[]): void => {
    const { title, usermeta: _meta, vconcat, ...own } = part;
    const above = title?.text ? [...titles, [title.text].flat().join(" ")] : titles;
    if (vconcat) (vconcat as Spec[]).forEach((each, at) => cut(each, at ? [] : above));
    else found.push({ title: above.join(": "), spec: { ...shared, ...own } });
  };
  for (const each of (whole["vconcat"] as Spec[] | undefined) ?? [{ ...whole, title: undefined }]) cut(each, []);
  const { read = [], panels: of = [] } = usermeta as { read?: Read[]; panels?: number[] };
  return found.map(({ title, spec }, at) => {
    const wanted = tablesOf(spec);
    spec["datasets"] = Object.fromEntries(Object.entries(datasets ?? {}).filter(([name]) => wanted.has(name)));
    if (at < found.length - 1) {
      for (const node of nodes(spec)) if (node["legend"]) node["legend"] = null;
    }
    return { title, spec, run: of.length ? (of[at] ?? null) : null, read: read.length ? (read[at % read.length] ?? null) : null };
  });
}
