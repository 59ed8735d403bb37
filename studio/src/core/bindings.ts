// The bindings of the core, as wasm-bindgen generates them.

/** The half of the bindings that a worker uses. */
export interface Bindings {
  initSync(options: { module: WebAssembly.Module }): unknown;
  ask(question: string, progress?: Progress): CoreAnswer;
  Capture: new (name: string, bytes: Uint8Array) => CoreCapture;
}

export interface CoreCapture {
  ask(question: string, progress?: Progress): CoreAnswer;
}

export type Progress = (done: number, of: number) => void;

export interface CoreAnswer {
  readonly json: string;
  readonly runs: number;
  names(run: number): string;
  array(run: number, name: string): Float64Array;
  free(): void;
}

/** Beside the built worker. A variable, so that the type checker and the bundler do not search for it. */
const BESIDE = "./core/airlag.js";

/** Loads the bindings. In the single-file page, the bundler replaces this module by the bindings themselves. */
export function load(): Promise<Bindings> {
  return import(BESIDE) as Promise<Bindings>;
}
