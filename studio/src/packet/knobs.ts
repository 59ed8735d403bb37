// All parameters of a link.

import { html, button } from "../elements.ts";
import type { answers } from "../core/questions.ts";
import { knob, type Knob, type Turn } from "./knob.ts";

export interface Knobs {
  readonly element: HTMLElement;
  /** Builds the knobs of a link. `real`: parameters whose numbers may have a fraction. */
  build(link: answers.Link, all: Readonly<Record<string, answers.Settable>>, real: ReadonlySet<string>): void;
  show(settings: Readonly<Record<string, string>>): void;
}

export function knobs(turn: Turn, reset: () => void): Knobs {
  const find = html("input", { id: "find", type: "search", placeholder: "rate, retry, loss …", autocomplete: "off" });
  const changed = html("input", { id: "changed", type: "checkbox" });
  const state = html("p", { class: "quiet", role: "status" });
  const all = button("Set all back", reset);
  const list = html("div", { class: "knob-list" });
  let made: Knob[] = [];
  let settings: Readonly<Record<string, string>> = {};
  const filter = () => {
    const words = find.value.trim().toLowerCase();
    let shown = 0;
    for (const one of made) {
      const visible = one.matches(words) && (!changed.checked || one.element.classList.contains("changed"));
      one.element.hidden = !visible;
      if (visible) shown++;
    }
    const differing = made.filter((one) => one.element.classList.contains("changed")).length;
    state.textContent = `${shown} of ${made.length} parameters shown; ${differing ? `${differing} differ from the published settings` : "all as published"}`;
    all.hidden = !differing;
  };
  find.addEventListener("input", filter);
  changed.addEventListener("change", filter);
  const show = () => {
    for (const one of made) one.show(settings[one.name]);
    filter();
  };
  return {
    element: html("section", { class: "panel knobs", "aria-label": "Parameters of the link" },
      html("h2", {}, "Parameters"),
      html("div", { class: "labelled" }, html("label", { for: "find" }, "Find"), find),
      html("div", { class: "row" }, changed, html("label", { for: "changed" }, "changed only"), all),
      state, list),
    build(link, settable, real) {
      const names = [...new Set([...Object.keys(link.parameters), ...Object.keys(settable)])];
      made = names.flatMap((name) => {
        const known = link.parameters[name];
        const one = settable[name] ?? known;
        // For a parameter that the profile leaves at its default, it is not known whether its numbers have fractions.
        const whole = known !== undefined && typeof known.value === "number" && !real.has(name);
        return one ? [knob({ name, settable: one, known, whole }, turn)] : [];
      });
      list.replaceChildren(...made.map((one) => one.element));
      show();
    },
    show(given) {
      settings = given;
      show();
    },
  };
}
