// The data that Python embeds in a report, and the state of the page. Charts are redrawn when it changes.

/** A run of the report. */
export interface Run {
  readonly number: number;
  readonly name: string;
  readonly link: string | null;
  readonly size: number | null;
  readonly phase: string | null;
  /** Messages with a known outcome, those delivered, and their latencies in ascending order, sampled for long runs. */
  readonly fates: { readonly of: number; readonly arrived: number; readonly latency: readonly number[] };
}

/** Embedded JSON by the id of its element. */
export function embeddedJson<T>(id: string, otherwise: T): T {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as T) : otherwise;
}

export const root = document.documentElement;

export const runs = embeddedJson<readonly Run[]>("runs", []);

/** Unit of the time axis: seconds, or transfers. */
export type Counting = "x" | "i";

export const page = {
  /** Numbers of the visible runs; null: all. */
  shown: null as ReadonlySet<number> | null,
  counting: "x" as Counting,
  /** Deadline in the page's unit of latency; null: none. */
  deadline: null as number | null,
  dark: matchMedia("(prefers-color-scheme: dark)"),
};

/** Name of a run by its number. */
export function nameOf(number: number): string {
  return runs.find((each) => each.number === number)?.name ?? "";
}
