// The parts of Vega that a report uses. Python embeds the library, so that these types are the only dependency.

import { rowsOf } from "./csv.ts";

/** Any node of a Vega-Lite specification, whose schema tests in Python check. */
export type Spec = Record<string, any>;

/** A scale of a drawn chart: a value to px, and back if it is continuous. */
export interface Scale {
  (value: number): number;
  invert?(px: number): number;
  domain(): number[];
}

/** A drawn mark. Those with a tooltip are an object by name. */
export interface Item {
  readonly x?: number;
  readonly y?: number;
  readonly tooltip?: Readonly<Record<string, unknown>>;
  readonly bounds: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
  readonly items?: readonly Mark[];
}

/** Marks of one type. */
export interface Mark {
  readonly marktype: string;
  readonly items?: readonly Item[];
}

/** A drawn chart. */
export interface View {
  origin(): [number, number];
  width(): number;
  height(): number;
  scale(name: string): Scale;
  signal(name: string, value: number): View;
  runAsync(): Promise<View>;
  scenegraph(): { readonly root: Mark };
  toImageURL(kind: string, scale: number): Promise<string>;
}

export interface Drawing {
  readonly view: View;
  finalize(): void;
}

declare const vegaEmbed: (place: HTMLElement, spec: Spec, options: Readonly<Record<string, unknown>>) => Promise<Drawing>;

/**
 * Draws a specification with the page's own menus and tooltips. Changes its tables.
 *
 * The policy of the page forbids compiling code. Expressions are therefore interpreted (`ast`), and tables are rows,
 * because Vega's reader of comma-separated values compiles a function.
 */
export function embedded(place: HTMLElement, spec: Spec, renderer: "svg" | "canvas"): Promise<Drawing> {
  const tables: Record<string, unknown> = spec["datasets"] ?? {};
  for (const { data } of nodes(spec)) {
    if (data?.format?.type !== "csv") continue;
    const table = tables[data.name];
    if (typeof table === "string") tables[data.name] = rowsOf(table, data.format.parse);
    delete data.format;
  }
  return vegaEmbed(place, spec, { mode: "vega-lite", renderer, actions: false, tooltip: false, ast: true });
}

/** All nodes of a specification, top down, except its style and tables. */
export function* nodes(value: unknown): Generator<Spec> {
  if (value === null || typeof value !== "object") return;
  yield value as Spec;
  for (const [key, each] of Object.entries(value)) {
    if (key !== "config" && key !== "datasets") yield* nodes(each);
  }
}
