// How all numbers of a panel were obtained, stated once in it.

import { html } from "../elements.ts";

export interface Origin {
  readonly element: HTMLDetailsElement;
  /** Shows the statement, with one sentence or element per paragraph. */
  show(...lines: readonly (string | Node)[]): void;
}

/** A folded part of a panel, to which the explanations of its numbers lead by its id. */
export function originOf(id: string, title: string): Origin {
  const lines = html("div");
  return {
    element: html("details", { class: "origin", id }, html("summary", {}, title), lines),
    show(...all) {
      const made = all.map((one) => html("p", {}, one));
      // A redraw with the same words leaves the page as it is.
      if (lines.textContent !== made.map((one) => one.textContent).join("")) lines.replaceChildren(...made);
    },
  };
}
