// Progress of a search. The core reports none, so the bar is an estimate, and is named as one.

import * as format from "../amounts/format.ts";
import { button, html } from "../elements.ts";
import { decidedOf } from "./matrix.ts";
import { estimate, speedOf, type Pass } from "./passes.ts";

/** Time between redraws of the bar, ms. */
const TICK_MS = 250;

export interface Progress {
  readonly element: HTMLElement;
  begin(budget_s: number): void;
  /** Takes account of the passes so far. The final one ends the progress. */
  passed(passes: readonly Pass[]): void;
  /** States what a cancelled search leaves. */
  cancelled(last: Pass | undefined): void;
  /** Ends without a message. */
  end(): void;
}

export function progressPanel(cancel: () => void): Progress {
  const bar = html("progress", { "aria-label": "Search, estimated", max: 1 });
  const left = html("span", { class: "quiet" });
  const state = html("p", { role: "status", "aria-live": "polite" });
  const stop = button("Cancel", cancel);
  const running = html("div", { class: "running" }, bar, left, stop);
  const element = html("div", { class: "panel search-progress", hidden: true }, state, running);
  let timer: ReturnType<typeof setInterval> | undefined;
  let begun_ms = 0;
  let budget_s = 0;
  let speed: number | undefined;

  function tick(): void {
    const elapsed_s = (performance.now() - begun_ms) / 1e3;
    if (speed === undefined) {
      bar.removeAttribute("value");
      left.textContent = `${elapsed_s.toFixed(0)} s`;
      return;
    }
    const { share, left_s } = estimate(elapsed_s, budget_s, speed);
    bar.value = share;
    const most = left_s >= 1 ? `at most about ${left_s.toFixed(0)} s left` : "longer than estimated";
    left.textContent = `${elapsed_s.toFixed(0)} s, ${most}; less if all links are decided before`;
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
      [begun_ms, budget_s, speed] = [performance.now(), given_s, undefined];
      element.hidden = false;
      running.hidden = false;
      state.textContent = `Searching with up to ${format.compact(format.number(budget_s))} s of work of one core.`;
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    passed(passes) {
      const last = passes.at(-1);
      if (!last || last.final) {
        rest();
        element.hidden = true;
        return;
      }
      speed = speedOf(passes);
      state.textContent =
        `Early pass with ${format.compact(format.number(last.budget_s))} s of work: ${decidedOf(last.answer)}. ` +
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
