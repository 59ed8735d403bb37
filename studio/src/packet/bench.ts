// Runs a bench: few messages first, so that a moved knob has an effect at once, then all.

import { isCancelled, Newest, type Core } from "../core/client.ts";
import type { answers } from "../core/questions.ts";
import { asked, type Bench } from "./state.ts";

/** A run with its latency budget, and the times of its messages. */
export interface Seen {
  readonly bench: Bench;
  readonly answer: answers.ExplainedRun;
  readonly trigger_ns: Float64Array;
  /** NaN: not completed. */
  readonly completion_ns: Float64Array;
  /** Whether these are all messages, not only the first ones. */
  readonly whole: boolean;
}

export interface Listener {
  seen(seen: Seen): void;
  failed(bench: Bench, message: string): void;
}

/** Most and fewest messages of the first picture, and the time of the core that it may take, ms. */
const FEW = 100;
const FEWEST = 20;
const QUICK_MS = 30;
/** Time without changes before all messages are run, ms, because a moving slider would make these runs useless. */
const CALM_MS = 100;
const NONE = new Float64Array();

/**
 * Runs the newest requested bench.
 *
 * A run of few messages is not cancelled, because it ends sooner than a new worker begins. While it runs, only the
 * newest request is kept. A run of all messages is cancelled as soon as another bench is requested.
 */
export class Runner {
  private wanted: Bench | undefined;
  private running = false;
  /** Messages of the next first picture: fewer on a slow link, or on a busy machine. */
  private few = FEW;
  /** Messages of the last run. */
  private ran = 0;
  private readonly whole = new Newest();

  constructor(
    private readonly core: Core,
    private readonly listener: Listener,
  ) {}

  want(bench: Bench): void {
    this.wanted = bench;
    this.whole.cancel();
    if (!this.running) void this.first();
  }

  close(): void {
    this.wanted = undefined;
    this.whole.cancel();
  }

  private async first(): Promise<void> {
    this.running = true;
    let bench: Bench | undefined;
    let shown = false;
    while (this.wanted && this.wanted !== bench) {
      bench = this.wanted;
      shown = await this.run(bench, Math.min(bench.count, this.few));
    }
    this.running = false;
    if (!bench || this.wanted !== bench || !shown || this.ran >= bench.count) return;
    const signal = this.whole.begin();
    await new Promise((settle) => setTimeout(settle, CALM_MS));
    if (!signal.aborted) await this.run(bench, bench.count, signal);
  }

  private async run(bench: Bench, count: number, signal?: AbortSignal): Promise<boolean> {
    try {
      const question = { ...asked({ ...bench, count }), question: "explain", advice: false } as const;
      const options = { arrays: ["trigger_ns", "completion_ns"] as const, ...(signal && { signal }) };
      const { answer, runs, took_ms } = await this.core.ask(question, options);
      this.ran = count;
      if (!signal) this.few = Math.round(Math.min(Math.max((count * QUICK_MS) / took_ms, FEWEST), FEW));
      if (!this.wanted) return false;
      const { trigger_ns = NONE, completion_ns = NONE } = runs[0]?.arrays ?? {};
      this.listener.seen({ bench, answer, trigger_ns, completion_ns, whole: count === bench.count });
      return true;
    } catch (error) {
      if (!isCancelled(error) && this.wanted === bench) this.listener.failed(bench, (error as Error).message);
      return false;
    }
  }
}
