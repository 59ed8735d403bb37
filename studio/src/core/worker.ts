// The core in a worker: one question after the other. The page ends the worker to cancel.

import type { Answered, ArrayName, Job, Report, RunArrays, Start } from "./protocol.ts";

/** The half of the bindings that this file uses, as wasm-bindgen generates it. */
interface Bindings {
  initSync(options: { module: WebAssembly.Module }): unknown;
  ask(question: string): CoreAnswer;
}

interface CoreAnswer {
  readonly json: string;
  readonly runs: number;
  names(run: number): string;
  array(run: number, name: string): Float64Array;
  free(): void;
}

/** Beside this file once built. A variable, because the type checker and the bundler need not find it. */
const BINDINGS = "./core/airlag.js";

/** The part of a worker's global scope used here; the library of types for pages does not have it. */
interface Scope {
  onmessage: ((event: MessageEvent<Start | Job>) => void) | null;
  postMessage(report: Report, transfer?: Transferable[]): void;
}
const scope = self as unknown as Scope;

/** The started core. A question may arrive before the compiled module, and waits for it. */
let begin: (bindings: Promise<Bindings>) => void;
const bindings = new Promise<Bindings>((settle) => (begin = settle));

scope.onmessage = ({ data }) => {
  if ("module" in data) begin(start(data.module));
  else void work(data);
};

bindings.then(
  () => scope.postMessage({ kind: "ready" }),
  (error: unknown) => scope.postMessage({ kind: "trapped", id: -1, message: text(error) }),
);

async function start(module: WebAssembly.Module): Promise<Bindings> {
  const loaded = (await import(BINDINGS)) as Bindings;
  loaded.initSync({ module });
  try {
    // The first question reads all profiles, which takes longer than most answers. No link has this name.
    loaded.ask('{"question":"links","link":"-"}');
  } catch (error) {
    if (!isAnswer(error)) throw error;
  }
  return loaded;
}

async function work(job: Job): Promise<void> {
  const { id } = job;
  try {
    const report = answered(await bindings, job);
    const buffers = report.runs.flatMap((run) => Object.values(run.arrays).map((one) => one.buffer));
    scope.postMessage(report, buffers);
  } catch (error) {
    scope.postMessage({ kind: isAnswer(error) ? "declined" : "trapped", id, message: text(error) });
  }
}

/** Whether an error comes from the core. All else is a trap, or exhausted memory or stack. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error;
}

function answered(core: Bindings, { id, question, arrays }: Job): Answered {
  const begun = performance.now();
  const answer = core.ask(question);
  const took_ms = performance.now() - begun;
  try {
    const runs = Array.from({ length: arrays.length ? answer.runs : 0 }, (_, run) => runArrays(answer, run, arrays));
    return { kind: "answered", id, json: answer.json, runs, took_ms };
  } finally {
    answer.free();
  }
}

function runArrays(answer: CoreAnswer, run: number, names: readonly ArrayName[]): RunArrays {
  const { tracks, slices } = JSON.parse(answer.names(run)) as { tracks: string[]; slices: string[] };
  const arrays: Partial<Record<ArrayName, Float64Array>> = {};
  for (const name of names) arrays[name] = answer.array(run, name);
  return { tracks, slices, arrays };
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
