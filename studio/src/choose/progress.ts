// Progress of a search: the work that the core reports after each round, of at most the budget.

import * as format from "../amounts/format.ts";
import { button, html } from "../elements.ts";
import { decidedOf } from "./matrix.ts";
import { reachedOf, type Pass } from "./passes.ts";

/** Time between redraws of the elapsed time, ms. */
const TICK_MS = 250;

export interface Progress {
  readonly element: HTMLElement;
  begin(budget_s: number): void;
  /** Takes the work that the whole search has done. */
  reached(work_s: number): void;
  /** Takes a pass. The final one ends the progress. */
  passed(pass: Pass): void;
  /** Shows the remaining result of a cancelled search. */
  cancelled(last: Pass | undefined): void;
  /** Ends without a message. */
  end(): void;
}

export function progressPanel(cancel: () => void): Progress {
  const bar = html("progress", { "aria-label": "Work of the search, of at most its budget", max: 1 });
  const left = html("span", { class: "quiet" });
  const state = html("p", { role: "status", "aria-live": "polite" });
  const stop = button("Cancel", cancel);
  const running = html("div", { class: "running" }, bar, left, stop);
  const element = html("div", { class: "panel search-progress", hidden: true }, state, running);
  let timer: ReturnType<typeof setInterval> | undefined;
  let begun_ms = 0;
  let budget_s = 0;
  let work_s = 0;
  let worked_s = 0;

  function elapsed_s(): number {
    return (performance.now() - begun_ms) / 1e3;
  }

  function tick(): void {
    const now_s = elapsed_s();
    // The speed is that of the last report, because later work is not reported yet.
    const { share, left_s } = reachedOf(work_s, budget_s, worked_s);
    if (left_s === undefined) {
      bar.removeAttribute("value");
      left.textContent = `${now_s.toFixed(0)} s`;
      return;
    }
    bar.value = share;
    const most_s = Math.max(left_s - (now_s - worked_s), 0);
    left.textContent =
      `${now_s.toFixed(0)} s; ${format.number(work_s, 3)} of at most ${format.compact(format.number(budget_s))} s of work done, ` +
      `at most about ${Math.ceil(most_s)} s left`;
  }

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
    running.hidden = true;
  }

  return {
    element,
    begin(given_s) {
      rest();
      [begun_ms, budget_s, work_s, worked_s] = [performance.now(), given_s, 0, 0];
      element.hidden = false;
      running.hidden = false;
      state.textContent = `Searching with up to ${format.compact(format.number(budget_s))} s of work of one core.`;
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    reached(done_s) {
      [work_s, worked_s] = [done_s, elapsed_s()];
      if (timer !== undefined) tick();
    },
    passed(pass) {
      if (pass.final) {
        rest();
        element.hidden = true;
        return;
      }
      state.textContent =
        `Early pass with ${format.compact(format.number(pass.budget_s))} s of work: ${decidedOf(pass.answer)}. ` +
        "The whole search goes on.";
    },
    cancelled(last) {
      rest();
      element.hidden = false;
      state.textContent = last
        ? `Cancelled. Shown is the early pass with ${format.compact(format.number(last.budget_s))} s of work: ${decidedOf(last.answer)}.`
        : "Cancelled before the first pass.";
    },
    end() {
      rest();
      element.hidden = true;
    },
  };
}
