// The triggers of the run: how many, how far apart, at which phase, and the random seed.

import { html } from "../elements.ts";
import { select, wholeBox } from "./layout.ts";
import { FIELDS, type State } from "./state.ts";

type Part = Pick<State, "count" | "seed" | "phase" | "period">;

export function triggers(change: (part: Partial<Part>) => void) {
  const count = wholeBox("count", "Messages", 10, 10_000, (value) => change({ count: value }));
  const seed = wholeBox("seed", "Random seed", 0, Number.MAX_SAFE_INTEGER, (value) => change({ seed: value }));
  const phase = select("phase", "Phase", [["uniform", "random times"], ["frozen", "exactly one period apart"]], (word) => change({ phase: word }));
  const period = html("input", { id: "period", type: "text", placeholder: "200ms, or longer if needed", maxlength: 40, autocomplete: "off" });
  const wrong = html("span", { class: "lost", role: "alert" });
  period.addEventListener("change", () => {
    try {
      change({ period: FIELDS.period.read([period.value.trim()]) });
      wrong.textContent = "";
    } catch (error) {
      wrong.textContent = (error as Error).message;
    }
  });
  const element = html("details", { class: "folded" }, html("summary", {}, "Triggers and random seed"),
    html("div", { class: "row" }, count.element,
      html("span", { class: "labelled" }, html("label", { for: "period" }, "Period"), period, wrong),
      phase.element, seed.element));
  return {
    element,
    show(state: State) {
      count.show(state.count);
      seed.show(state.seed);
      phase.show(state.phase);
      if (document.activeElement !== period) period.value = state.period;
    },
  };
}
