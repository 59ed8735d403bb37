// The core for the page: a question in, an answer out, with workers that can be cancelled.
//
// There are two workers. A question takes an idle one. A cancelled question that has not begun is dropped. The worker
// of a cancelled question that runs has a short time to end by itself. It is ended and replaced if another question
// needs it, so that the newest question never waits for an old one.

import { CaptureFile } from "./capture.ts";
import { CoreError } from "./errors.ts";
import type { Answers, Question } from "./questions.ts";
import type { ArrayName, Job, Open, Report, RunArrays, Start } from "./protocol.ts";

export { CoreError } from "./errors.ts";
export type { ArrayName, Edges, RunArrays } from "./protocol.ts";

/** An answer with the arrays on which it is based. */
export interface Reply<A> {
  readonly answer: A;
  /** The answer as the core wrote it, byte for byte as the command line prints it. */
  readonly json: string;
  readonly runs: readonly RunArrays[];
  /** Time that the core took, ms. */
  readonly took_ms: number;
}

/** Interface of a worker that this file uses. Tests provide another implementation. */
export interface Hand {
  postMessage(message: Start | Open | Job): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Report>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface Ways {
  readonly worker: () => Hand;
  readonly module: () => Promise<WebAssembly.Module>;
  /** Time that a worker has to end a cancelled question by itself before it is replaced, ms. */
  readonly grace_ms: number;
}

export interface Options {
  /** Cancels the question. */
  readonly signal?: AbortSignal;
  /** Arrays of each run to send with the answer. */
  readonly arrays?: readonly ArrayName[];
  /** Whether it may take many seconds. If such a question is cancelled, its worker is ended at once. */
  readonly lengthy?: boolean;
  /** Receives the numbers of completed and total steps, at most every 50 ms. */
  readonly progress?: (done: number, of: number) => void;
}

interface Waiting {
  readonly job: Job;
  readonly settle: (reply: Reply<unknown>) => void;
  readonly fail: (error: Error) => void;
  readonly lengthy: boolean;
  readonly progress: Options["progress"];
  cancelled: boolean;
}

interface Place {
  hand: Hand;
  present: Waiting | undefined;
}

/**
 * Number of workers: for two cores of a small machine, and so that a warm worker can replace one with a cancelled
 * question.
 */
const PLACES = 2;

export class Core {
  private readonly places: Place[] = [];
  private readonly queue: Waiting[] = [];
  private module: Promise<WebAssembly.Module> | undefined;
  private asked = 0;
  private grace: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ways: Ways) {}

  /** Starts the workers, so that the first question finds one. */
  warm(): void {
    while (this.places.length < PLACES) this.places.push({ hand: this.hired(), present: undefined });
  }

  /**
   * Starts one more worker, for a view whose questions are often cancelled. While two workers end cancelled
   * questions, the newest question then has a warm worker. It is not started from the beginning, because that would
   * delay the first answer.
   */
  spare(): void {
    if (this.places.length === PLACES) this.places.push({ hand: this.hired(), present: undefined });
  }

  /**
   * Answers a question.
   *
   * Rejects with a `CoreError` if the core declines the question, and with the reason of `signal` if cancelled.
   */
  ask<Q extends Question>(question: Q, options: Options = {}): Promise<Reply<Answers[Q["question"]]>> {
    const { signal, arrays = [], lengthy = false, progress } = options;
    return new Promise((settle, fail) => {
      if (signal?.aborted) return fail(signal.reason as Error);
      this.warm();
      const job = { id: this.asked++, question: JSON.stringify(question), arrays };
      const done = settle as (reply: Reply<unknown>) => void;
      const waiting: Waiting = { job, settle: done, fail, lengthy, progress, cancelled: false };
      signal?.addEventListener("abort", () => this.cancel(waiting, signal.reason as Error), { once: true });
      this.queue.push(waiting);
      this.next();
    });
  }

  /** A separate worker for a capture, which stores its bytes. */
  capture(): CaptureFile {
    return new CaptureFile(this.ways, () => this.compiled());
  }

  /** The core, compiled once for all workers. */
  private compiled(): Promise<WebAssembly.Module> {
    return (this.module ??= this.ways.module());
  }

  private cancel(waiting: Waiting, reason: Error): void {
    waiting.cancelled = true;
    const at = this.queue.indexOf(waiting);
    if (at >= 0) this.queue.splice(at, 1);
    waiting.fail(reason);
    const place = waiting.lengthy && this.places.find((one) => one.present === waiting);
    if (place) this.replace(place);
    this.next();
  }

  /** Passes questions to idle workers. */
  private next(): void {
    while (this.queue.length) {
      const place = this.places.find((one) => !one.present);
      if (!place) return this.hasten();
      const waiting = this.queue.shift();
      if (!waiting) return;
      place.present = waiting;
      place.hand.postMessage(waiting.job);
    }
  }

  /**
   * Replaces a worker whose cancelled question still runs after the grace time. The new worker first reads all
   * profiles.
   */
  private hasten(): void {
    if (this.grace !== undefined || !this.places.some((one) => one.present?.cancelled)) return;
    this.grace = setTimeout(() => {
      this.grace = undefined;
      const place = this.places.find((one) => one.present?.cancelled);
      if (!place || !this.queue.length) return;
      this.replace(place);
      this.next();
    }, this.ways.grace_ms);
  }

  private replace(place: Place): void {
    place.hand.onmessage = null;
    place.hand.onerror = null;
    place.hand.terminate();
    place.hand = this.hired();
    place.present = undefined;
  }

  private hired(): Hand {
    const hand = this.ways.worker();
    hand.onmessage = ({ data }) => this.reported(hand, data);
    hand.onerror = (event) => {
      event.preventDefault();
      this.reported(hand, { kind: "trapped", id: -1, message: event.message || "the worker could not be loaded" });
    };
    // Compiled once; each worker gets the compiled module, so that a new worker is ready within milliseconds.
    this.compiled().then(
      (module) => hand.postMessage({ module }),
      (error: unknown) => {
        this.module = undefined;
        const message = error instanceof Error ? error.message : String(error);
        this.reported(hand, { kind: "trapped", id: -1, message: `the core could not be loaded: ${message}` });
      },
    );
    return hand;
  }

  private reported(hand: Hand, report: Report): void {
    const place = this.places.find((one) => one.hand === hand);
    if (report.kind === "ready" || !place) return;
    const { present } = place;
    if (report.kind === "progressed") {
      if (present?.job.id === report.id && !present.cancelled) present.progress?.(report.done, report.of);
      return;
    }
    if (report.kind === "trapped") {
      // Without a present question, the worker is restarted only for the next question, which avoids endless
      // attempts.
      if (present) this.replace(place);
      else this.places.splice(this.places.indexOf(place), 1);
      present?.fail(new CoreError(`the core stopped and was restarted: ${report.message}`));
    } else if (present && report.id === present.job.id) {
      place.present = undefined;
      if (report.kind === "declined") present.fail(new CoreError(report.message));
      else settled(present, report);
    }
    this.next();
  }
}

function settled(waiting: Waiting, report: Extract<Report, { kind: "answered" }>): void {
  const { json, runs, took_ms } = report;
  waiting.settle({ answer: JSON.parse(json) as unknown, json, runs, took_ms });
}

/** A subject of which only the newest question matters. A new question cancels the previous one. */
export class Newest {
  private current: AbortController | undefined;

  /** Cancels the last question, and returns the signal of the next one. */
  begin(): AbortSignal {
    this.cancel();
    this.current = new AbortController();
    return this.current.signal;
  }

  cancel(): void {
    this.current?.abort(new DOMException("a newer question replaced this one", "AbortError"));
    this.current = undefined;
  }
}

/** Whether an error is a cancelled question, which needs no message. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
