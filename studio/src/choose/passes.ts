// A search in passes: the whole question, and beside it the same question with small work budgets.
//
// A search takes up to its budget, and returns its answer at the end. The list of links is not split, because the
// budget of each link and the joint confidence of all verdicts depend on the whole list. Every pass is therefore the
// whole question. An early pass does less work, leaves more links undecided, and is marked as early. The final answer
// is that of the question as asked, the same as on the command line.

import type { Recommend } from "./requirement.ts";
import type { answers } from "../core/questions.ts";

/** An answer, and whether it is that of the question as asked. */
export interface Pass {
  readonly answer: answers.Recommendation;
  readonly budget_s: number;
  readonly final: boolean;
  /** Time that the core took, ms. */
  readonly took_ms: number;
}

/** Asks the core one question. `reached` receives the work done, s of one core. */
export type Ask = (
  question: Recommend,
  signal: AbortSignal,
  reached?: (work_s: number) => void,
) => Promise<{ readonly answer: answers.Recommendation; readonly took_ms: number }>;

/** Budgets of early passes, s of one core. */
const EARLY_S = [1, 4, 12] as const;
/** Largest ratio of the budget of an early pass to that of the search, so that the pass ends well before the search. */
const SHARE = 0.5;

/** Budgets of the early passes of a search. */
export function earlyBudgets_s(budget_s: number): number[] {
  return EARLY_S.filter((early) => early <= SHARE * budget_s);
}

/**
 * Searches, and reports every pass: early passes by their budget, then the final one. `reached` receives the work of
 * the whole search.
 *
 * Rejects as `ask` does for the whole question. An early pass that fails only ends the early passes.
 */
export async function search(
  ask: Ask,
  question: Recommend,
  budget_s: number,
  signal: AbortSignal,
  report: (pass: Pass) => void,
  reached: (work_s: number) => void,
): Promise<void> {
  const early = new AbortController();
  const stop = () => early.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const whole = ask(question, signal, reached);
    const before = earlyPasses(ask, question, budget_s, early.signal, report);
    const { answer, took_ms } = await whole;
    early.abort(new DOMException("the whole search has ended", "AbortError"));
    await before;
    if (!signal.aborted) report({ answer, budget_s, final: true, took_ms });
  } finally {
    signal.removeEventListener("abort", stop);
    early.abort(new DOMException("the search has ended", "AbortError"));
  }
}

async function earlyPasses(
  ask: Ask,
  question: Recommend,
  budget_s: number,
  signal: AbortSignal,
  report: (pass: Pass) => void,
): Promise<void> {
  try {
    for (const early_s of earlyBudgets_s(budget_s)) {
      const { answer, took_ms } = await ask({ ...question, budget_s: early_s }, signal);
      if (signal.aborted) return;
      report({ answer, budget_s: early_s, final: false, took_ms });
      // A larger budget would decide nothing more.
      if (answer.complete) return;
    }
  } catch {
    // The whole question reports the error, or was cancelled.
  }
}

/** Progress of the whole search. */
export interface Reached {
  /** Share of the budget that is spent. A search that decides all links earlier ends below 1. */
  readonly share: number;
  /** Longest remaining time at the speed so far, s. Undefined before the first report. */
  readonly left_s: number | undefined;
}

/** Progress of a search that has done `work_s` of work in `elapsed_s`. */
export function reachedOf(work_s: number, budget_s: number, elapsed_s: number): Reached {
  const done_s = Math.min(Math.max(work_s, 0), budget_s);
  const left_s = done_s > 0 && elapsed_s > 0 ? ((budget_s - done_s) * elapsed_s) / done_s : undefined;
  return { share: done_s / budget_s, left_s };
}
