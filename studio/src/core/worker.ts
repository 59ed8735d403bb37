// The core in a worker: one question after the other. The page ends the worker to cancel.

import { type Bindings, type CoreAnswer, type CoreCapture, load, type Progress } from "./bindings.ts";
import type { Answered, ArrayName, Edges, Job, Open, Report, RunArrays, Start } from "./protocol.ts";

/** The part of a worker's global scope used here; the library of types for pages does not have it. */
interface Scope {
  onmessage: ((event: MessageEvent<Start | Open | Job>) => void) | null;
  postMessage(report: Report, transfer?: Transferable[]): void;
}
const scope = self as unknown as Scope;

/** The started core. A question may arrive before the compiled module, and waits for it. */
let begin: (bindings: Promise<Bindings>) => void;
const bindings = new Promise<Bindings>((settle) => (begin = settle));

/** The capture of this worker. Each question about it reports why it could not be opened. */
let capture: Promise<CoreCapture> | undefined;

/** Shortest time between two reports of progress, ms. */
const PROGRESS_MS = 50;

scope.onmessage = ({ data }) => {
  if ("module" in data) begin(start(data.module));
  else if ("file" in data) {
    capture = opened(data.file);
    capture.catch(() => undefined);
  } else void work(data);
};

bindings.then(
  () => scope.postMessage({ kind: "ready" }),
  (error: unknown) => scope.postMessage({ kind: "trapped", id: -1, message: text(error) }),
);

async function start(module: WebAssembly.Module): Promise<Bindings> {
  const loaded = await load();
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
    const core = await bindings;
    if (job.captured && !capture) throw new Error("no capture is open; choose a file");
    const report = answered((job.captured && (await capture)) || core, job);
    scope.postMessage(report, report.runs.flatMap(buffersOf));
  } catch (error) {
    scope.postMessage({ kind: isAnswer(error) ? "declined" : "trapped", id, message: text(error) });
  }
}

/** Whether an error comes from the core. Any other error is a trap, or exhausted memory or stack. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error;
}

/** Reads a file into the core. The copy outside of the core's memory is then freed. */
async function opened(file: File): Promise<CoreCapture> {
  const core = await bindings;
  const name = file.name || "capture";
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    // A folder, a file that was changed or removed, or one that does not fit into memory.
    throw new Error(`${name}: the browser cannot read this (${text(error).replace(/\.$/, "")}); choose a file again`);
  }
  try {
    return new core.Capture(name, bytes);
  } finally {
    freed(bytes);
  }
}

/** Reports progress, not more often than a page can show it. */
function reporting(id: number): Progress {
  let last = -Infinity;
  return (done, of) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    scope.postMessage({ kind: "progressed", id, done, of });
  };
}

function answered(core: Pick<Bindings, "ask">, { id, question, arrays, edges = false }: Job): Answered {
  const begun = performance.now();
  const answer = core.ask(question, reporting(id));
  const took_ms = performance.now() - begun;
  try {
    const wanted = arrays.length || edges ? answer.runs : 0;
    const runs = Array.from({ length: wanted }, (_, run) => runArrays(answer, run, arrays, edges));
    return { kind: "answered", id, json: answer.json, runs, took_ms };
  } finally {
    answer.free();
  }
}

function runArrays(answer: CoreAnswer, run: number, names: readonly ArrayName[], edges: boolean): RunArrays {
  const named = JSON.parse(answer.names(run)) as { tracks: string[]; slices: string[]; channels?: string[] };
  const { tracks, slices, channels = [] } = named;
  const arrays: Partial<Record<ArrayName, Float64Array>> = {};
  for (const name of names) arrays[name] = answer.array(run, name);
  return { tracks, slices, arrays, channels: edges ? channels.map((name, nth) => edgesOf(answer, run, name, nth)) : [] };
}

/** Edges of a channel. A level takes one byte, which matters for ten million. */
function edgesOf(answer: CoreAnswer, run: number, name: string, nth: number): Edges {
  const change_ns = answer.array(run, `change_ns ${nth}`);
  const wide = answer.array(run, `level ${nth}`);
  const level = Int8Array.from(wide, (one) => (Number.isNaN(one) ? -1 : one));
  freed(wide);
  return { name, change_ns, level };
}

function buffersOf({ arrays, channels }: RunArrays): Transferable[] {
  const all = [...Object.values(arrays), ...(channels ?? []).flatMap((one) => [one.change_ns, one.level])];
  return all.map((one) => one.buffer);
}

/** Frees the memory of a large array now, not when the browser next collects garbage. */
function freed({ buffer }: Uint8Array | Float64Array): void {
  // Browsers before 2024 do not have this method.
  if (buffer instanceof ArrayBuffer && "transfer" in buffer) buffer.transfer(0);
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
