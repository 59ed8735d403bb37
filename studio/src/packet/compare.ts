// Two links or two settings side by side.

import { button, html } from "../elements.ts";
import type { State } from "./state.ts";

export interface Actions {
  keep(): void;
  exchange(): void;
  drop(): void;
}

export function comparison(actions: Actions) {
  const keep = button("Keep as B to compare", actions.keep);
  const exchange = button("Exchange A and B", actions.exchange);
  const drop = button("Stop comparing", actions.drop);
  const words = html("span", { class: "name" });
  const element = html("div", { class: "row compare" }, keep, exchange, drop, words);
  return {
    element,
    show({ against, against_size, against_set }: State) {
      const settings = Object.entries(against_set).map(([name, value]) => `${name}=${value}`);
      exchange.hidden = drop.hidden = !against;
      keep.textContent = against ? "Keep the present one as B" : "Keep as B to compare";
      words.textContent = against ? `B: ${[against, `${against_size} B`, ...settings].join(" ")}. The controls turn A.` : "";
    },
  };
}
