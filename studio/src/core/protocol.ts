// Messages between the page and a worker.

/** A question for the worker: its JSON, and the arrays of the runs to send with the answer. */
export interface Job {
  readonly id: number;
  readonly question: string;
  readonly arrays: readonly ArrayName[];
  /** Whether the question is about the opened capture. */
  readonly captured?: boolean;
  /** Whether to send the edges that the question kept. */
  readonly edges?: boolean;
}

/** A file to open as the capture of this worker. Only the handle is sent, so the page never has the bytes. */
export interface Open {
  readonly file: File;
}

/** The compiled core, which a worker needs once. */
export interface Start {
  readonly module: WebAssembly.Module;
}

/** Arrays of a run: times in ns with NaN for none, or indices of the names of tracks and slices. */
export type ArrayName = "trigger_ns" | "completion_ns" | "latency_ns" | "track" | "slice" | "begin_ns" | "end_ns";

/** Arrays of one run, and the names to which `track` and `slice` refer. */
export interface RunArrays {
  readonly tracks: readonly string[];
  readonly slices: readonly string[];
  readonly arrays: Readonly<Partial<Record<ArrayName, Float64Array>>>;
  /** Edges of the channels, if they were requested. */
  readonly channels?: readonly Edges[];
}

/** Levels of a channel over time. */
export interface Edges {
  readonly name: string;
  /** Beginning of each level, ns, ascending. */
  readonly change_ns: Float64Array;
  /** The level from there: 1, 0, or -1 where nothing was recorded. */
  readonly level: Int8Array;
}

export interface Answered {
  readonly kind: "answered";
  readonly id: number;
  readonly json: string;
  readonly runs: readonly RunArrays[];
  /** Time that the core took, ms. */
  readonly took_ms: number;
}

/** The core declined the question, in one line. */
export interface Declined {
  readonly kind: "declined";
  readonly id: number;
  readonly message: string;
}

/** WebAssembly trapped. Its memory is no longer valid, so the worker must not be used again. */
export interface Trapped {
  readonly kind: "trapped";
  readonly id: number;
  readonly message: string;
}

/** Progress of a running question. */
export interface Progressed {
  readonly kind: "progressed";
  readonly id: number;
  readonly done: number;
  readonly of: number;
}

export interface Ready {
  readonly kind: "ready";
}

export type Report = Answered | Declined | Trapped | Progressed | Ready;
