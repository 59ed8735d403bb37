// One parameter of a link as a slider, a box or a choice.

import { plainNumber } from "../amounts/format.ts";
import { button, html } from "../elements.ts";
import type { answers } from "../core/questions.ts";
import { settingText, STEPS, travel } from "./slider.ts";
import { sourceOf } from "./source.ts";

/** A parameter of a link. Without `known` the profile leaves it at the default of its kind. */
export interface Described {
  readonly name: string;
  readonly settable: answers.Settable;
  readonly known: answers.Parameter | undefined;
  /** Whether a number of this parameter has no fraction. */
  readonly whole: boolean;
}

export interface Knob {
  readonly name: string;
  readonly element: HTMLElement;
  /** Shows a value; undefined: that of the profile. */
  show(value: string | undefined): void;
  /** Whether a search finds it. */
  matches(words: string): boolean;
}

/** Takes a value, or undefined to reset it. `done` is false while a slider moves. */
export type Turn = (name: string, value: string | undefined, done: boolean) => void;

/** Entry in the list of choices that selects the box instead. */
const OTHER = "a number";

export function knob(described: Described, turn: Turn): Knob {
  const { name, settable, known } = described;
  const { unit, about, choices, between } = settable;
  const published = known === undefined ? undefined : String(known.value);
  const id = `knob-${name}`;
  // A value equal to the published one is not a setting, so the command line stays short and the mark is correct.
  const set = (value: string, done: boolean) => turn(name, value === published ? undefined : value, done);
  const control = between
    ? numeric(described, published, id, set)
    : worded(choices, id, set);
  const back = button("Set back", () => turn(name, undefined, true), { class: "back", "aria-label": `Set back: ${name}` });
  const was = published === undefined ? "default" : `published: ${withUnit(published, unit)}`;
  const bounds = between ? html("span", {}, `${plainNumber(between[0])} to ${plainNumber(between[1])}${unit ? ` ${unit}` : ""}`) : null;
  const element = html("div", { class: "knob", role: "group", "aria-labelledby": `${id}-name` },
    html("div", { class: "knob-head" },
      html("label", { id: `${id}-name`, for: id }, name.replaceAll("_", " ")),
      html("span", { class: "unit quiet" }, unit), back),
    html("p", { class: "quiet", id: `${id}-about` }, about),
    control.element,
    html("p", { class: "bounds quiet" }, bounds, html("span", { class: "was" }, was)),
    known ? sourceOf(known) : null,
  );
  const text = `${name} ${name.replaceAll("_", " ")} ${about}`.toLowerCase();
  return {
    name,
    element,
    show(value) {
      const shown = value ?? published;
      control.show(shown);
      const changed = value !== undefined && value !== published;
      element.classList.toggle("changed", changed);
      back.hidden = !changed;
    },
    matches: (words) => words.split(/\s+/).every((word) => text.includes(word)) || (words === "changed" && element.classList.contains("changed")),
  };
}

function withUnit(value: string, unit: string): string {
  return unit && Number.isFinite(Number(value)) ? `${plainNumber(Number(value))} ${unit}` : value;
}

interface Control {
  readonly element: HTMLElement;
  show(value: string | undefined): void;
}

type Set = (value: string, done: boolean) => void;

/** Words to choose from. */
function worded(choices: readonly string[], id: string, set: Set): Control {
  if (!choices.length) return free(id, set);
  if (choices.join() === "true,false") return onOrOff(id, set);
  const list = html("select", { id, "aria-describedby": `${id}-about` }, ...choices.map((one) => html("option", { value: one }, one)));
  list.addEventListener("change", () => set(list.value, true));
  return {
    element: list,
    show(value) {
      list.value = value ?? "";
    },
  };
}

function onOrOff(id: string, set: Set): Control {
  const box = html("input", { id, type: "checkbox", "aria-describedby": `${id}-about` });
  box.addEventListener("change", () => set(String(box.checked), true));
  return {
    element: html("div", {}, box, " on"),
    show(value) {
      box.indeterminate = value === undefined;
      box.checked = value === "true";
    },
  };
}

/** Text in the syntax of the command line, for what is neither a number nor a list of words. */
function free(id: string, set: Set): Control {
  const box = html("input", { id, type: "text", maxlength: 200, autocomplete: "off", "aria-describedby": `${id}-about` });
  box.addEventListener("change", () => box.value.trim() && set(box.value.trim(), true));
  return {
    element: box,
    show(value) {
      box.value = value ?? "";
    },
  };
}

/** A slider with a box; also words, where a number may be replaced by one, such as `random`. */
function numeric({ name, settable, whole }: Described, published: string | undefined, id: string, set: Set): Control {
  const { unit, choices } = settable;
  const between = settable.between as [number, number];
  const at = Number(published);
  const way = travel(between, Number.isFinite(at) ? at : 0, whole);
  const slider = html("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": `${name.replaceAll("_", " ")}, slider`, "aria-describedby": `${id}-about` });
  const box = html("input", { id, type: "number", min: between[0], max: between[1], step: whole ? 1 : "any", "aria-describedby": `${id}-about` });
  const words = choices.length ? html("select", { "aria-label": `${name.replaceAll("_", " ")}, or a word` }, ...[OTHER, ...choices].map((one) => html("option", {}, one))) : undefined;
  const pair = html("div", { class: "slider" }, slider, box);
  const say = (value: number) => slider.setAttribute("aria-valuetext", unit ? `${value} ${unit}` : String(value));
  for (const event of ["input", "change"] as const) {
    slider.addEventListener(event, () => {
      const value = way.value(slider.valueAsNumber);
      box.value = settingText(value);
      say(value);
      set(settingText(value), event === "change");
    });
    box.addEventListener(event, () => {
      const value = box.valueAsNumber;
      if (!(value >= between[0] && value <= between[1]) || (whole && !Number.isInteger(value))) return;
      slider.value = String(way.position(value));
      say(value);
      set(settingText(value), event === "change");
    });
  }
  words?.addEventListener("change", () => set(words.value === OTHER ? settingText(way.value(STEPS / 2)) : words.value, true));
  return {
    element: html("div", {}, words ?? null, pair),
    show(value) {
      const shown = Number(value ?? NaN);
      const numeric = value !== undefined && Number.isFinite(shown);
      if (words) {
        words.value = numeric || value === undefined ? OTHER : value;
        pair.hidden = !numeric;
      }
      if (document.activeElement !== box) box.value = numeric ? value : "";
      // Not while it is dragged: a value rounded by the core would move the thumb away from the pointer.
      if (document.activeElement !== slider) slider.value = String(way.position(numeric ? shown : way.low));
      say(shown);
    },
  };
}
