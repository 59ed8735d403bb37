// A capture in a worker of its own, and questions about it.
//
// The worker reads the file and keeps its bytes, so that a second question does not read it again. One question runs
// at a time. To cancel a question, its worker is ended, and the next question opens the file again.

import { CoreError } from "./errors.ts";
import type { Hand, Options, Reply, Ways } from "./client.ts";
import type { Job, Report } from "./protocol.ts";
import type { Answers, Question } from "./questions.ts";

export interface CaptureOptions extends Options {
  /** Whether to send the edges that the question kept. */
  readonly edges?: boolean;
}

interface Waiting {
  readonly job: Job;
  readonly settle: (reply: Reply<unknown>) => void;
  readonly fail: (error: Error) => void;
  readonly options: CaptureOptions;
  cancelled: boolean;
}

export class CaptureFile {
  private hand: Hand | undefined;
  private present: Waiting | undefined;
  private readonly queue: Waiting[] = [];
  private asked = 0;
  private given: File | undefined;

  constructor(
    private readonly ways: Ways,
    private readonly module: () => Promise<WebAssembly.Module>,
  ) {
    this.hand = this.hired();
  }

  /**
   * Opens a file. To be called once: another file needs another worker, so that the memory of this worker becomes
   * free.
   */
  open(file: File): void {
    this.given = file;
    this.hand?.postMessage({ file });
  }

  get file(): File {
    if (!this.given) throw new CoreError("no capture is open; choose a file");
    return this.given;
  }

  /**
   * Answers a question about the capture.
   *
   * Rejects with a `CoreError` if the core declines the file or the question, and with the reason of `signal` if
   * cancelled.
   */
  ask<Q extends Question>(question: Q, options: CaptureOptions = {}): Promise<Reply<Answers[Q["question"]]>> {
    const { signal, arrays = [], edges = false } = options;
    return new Promise((settle, fail) => {
      if (signal?.aborted) return fail(signal.reason as Error);
      const job = { id: this.asked++, question: JSON.stringify(question), arrays, captured: true, edges };
      const waiting: Waiting = { job, settle: settle as Waiting["settle"], fail, options, cancelled: false };
      signal?.addEventListener("abort", () => this.cancel(waiting, signal.reason as Error), { once: true });
      this.queue.push(waiting);
      this.next();
    });
  }

  /** Ends the worker, which frees its memory. Questions without an answer are cancelled. */
  close(): void {
    const left = this.present ? [this.present, ...this.queue] : [...this.queue];
    this.queue.length = 0;
    this.end();
    for (const one of left) one.fail(new DOMException("the capture was closed", "AbortError"));
  }

  private cancel(waiting: Waiting, reason: Error): void {
    waiting.cancelled = true;
    const at = this.queue.indexOf(waiting);
    if (at >= 0) this.queue.splice(at, 1);
    waiting.fail(reason);
    if (this.present !== waiting) return;
    // A short question ends by itself sooner than a large file is read again.
    const end = (): void => {
      if (this.present !== waiting) return;
      this.end();
      this.next();
    };
    if (waiting.options.lengthy) end();
    else setTimeout(end, this.ways.grace_ms);
  }

  private next(): void {
    if (this.present) return;
    const waiting = this.queue.shift();
    if (!waiting) return;
    this.present = waiting;
    this.hand ??= this.hired();
    this.hand.postMessage(waiting.job);
  }

  private end(): void {
    if (this.hand) {
      this.hand.onmessage = null;
      this.hand.onerror = null;
      this.hand.terminate();
    }
    this.hand = undefined;
    this.present = undefined;
  }

  private hired(): Hand {
    const hand = this.ways.worker();
    hand.onmessage = ({ data }) => this.reported(hand, data);
    hand.onerror = (event) => {
      event.preventDefault();
      this.trapped(hand, event.message || "the worker could not be loaded");
    };
    this.module().then(
      (module) => hand.postMessage({ module }),
      (error: unknown) => this.trapped(hand, `the core could not be loaded: ${error instanceof Error ? error.message : String(error)}`),
    );
    if (this.given) hand.postMessage({ file: this.given });
    return hand;
  }

  private reported(hand: Hand, report: Report): void {
    if (hand !== this.hand || report.kind === "ready") return;
    if (report.kind === "trapped") return this.trapped(hand, report.message);
    const { present } = this;
    if (!present || present.job.id !== report.id) return;
    if (report.kind === "progressed") {
      if (!present.cancelled) present.options.progress?.(report.done, report.of);
      return;
    }
    this.present = undefined;
    if (report.kind === "declined") {
      present.fail(new CoreError(report.message));
    } else {
      const { json, runs, took_ms } = report;
      present.settle({ answer: JSON.parse(json) as unknown, json, runs, took_ms });
    }
    this.next();
  }

  private trapped(hand: Hand, message: string): void {
    if (hand !== this.hand) return;
    const { present } = this;
    this.end();
    present?.fail(new CoreError(`${this.given?.name ?? "capture"}: the core stopped and was restarted: ${message}`));
    this.next();
  }
}
