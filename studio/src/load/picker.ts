// The links on the charts, each with its colour, mark and state.

import type { answers } from "../core/questions.ts";
import { button, html, svg } from "../elements.ts";
import { optionsByKind } from "../linkoptions.ts";
import { markOf } from "./chart.ts";
import { MOST_LINKS } from "./state.ts";

export interface Picker {
  readonly element: HTMLElement;
  /** Fills the list of links to add. */
  offer(links: readonly answers.LinkName[]): void;
  /** Shows the chosen links. */
  show(chosen: readonly string[]): void;
  /** Shows the state of a link: computing, its result, or its error. */
  state(link: string, text: string | readonly (Node | string)[], kind: "busy" | "result" | "error"): void;
}

/** Colour and mark of the nth link. */
export function swatch(nth: number): SVGSVGElement {
  return svg(
    "svg",
    { width: 26, height: 14, class: `curve run-swatch nth${nth}`, "aria-hidden": "true" },
    svg("path", { class: "p50", d: "M1 7H25" }),
    svg("path", { class: "mark p50", d: markOf(nth, 13, 7, 4.5) }),
  );
}

/** Builds the picker. `choose` is called with all links after a change. A fixed picker is only a legend. */
export function linkPicker(choose: (links: readonly string[]) => void, fixed: boolean): Picker {
  const list = html("ul", { class: "picked" });
  const add = html("select", { id: "load-add" }, html("option", { value: "" }, "add a link…"));
  const full = html("p", { class: "quiet", hidden: true }, `${MOST_LINKS} links are the most on one chart; remove one to add another.`);
  const field = html("div", { class: "field" }, html("label", { for: "load-add" }, `Add a link, up to ${MOST_LINKS}`), add);
  const states = new Map<string, HTMLElement>();
  let present: readonly string[] = [];
  let known: readonly answers.LinkName[] = [];

  add.addEventListener("change", () => {
    const { value } = add;
    add.value = "";
    if (value && !present.includes(value) && present.length < MOST_LINKS) choose([...present, value]);
  });

  function options(): void {
    // A link without a medium is a single board, which carries no bytes.
    const groups = optionsByKind(known.filter((link) => link.medium !== null), present);
    add.replaceChildren(html("option", { value: "" }, "add a link…"), ...groups);
  }

  return {
    element: html("div", { class: "picker" }, list, field, full),
    offer(links) {
      known = links;
      options();
    },
    show(chosen) {
      present = chosen;
      states.clear();
      const rows = chosen.map((link, nth) => {
        const text = html("span", { class: "quiet", role: "status" });
        states.set(link, text);
        const remove = button("Remove", () => choose(present.filter((one) => one !== link)), { "aria-label": `Remove ${link}` });
        return html("li", {}, swatch(nth), html("b", {}, link), " ", text, " ", fixed ? null : remove);
      });
      list.replaceChildren(...rows);
      field.hidden = fixed || chosen.length >= MOST_LINKS;
      full.hidden = fixed || !field.hidden;
      options();
    },
    state(link, text, kind) {
      const line = states.get(link);
      if (!line) return;
      line.replaceChildren(...(typeof text === "string" ? [text] : text));
      line.className = kind === "error" ? "lost" : "quiet";
    },
  };
}
