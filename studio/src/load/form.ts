// The traffic as a form: every change is a new state.

import * as parse from "../amounts/parse.ts";
import { html } from "../elements.ts";
import { Problem, type Field, type Settings } from "../state.ts";
import { ARRIVALS, FIELDS, REGIONS, type State } from "./state.ts";

/** Words for each arrival process. */
const ARRIVAL_WORDS: Readonly<Record<(typeof ARRIVALS)[number], string>> = {
  poisson: "Poisson: at random times",
  periodic: "periodic",
  burst: "bursts of eight",
};

/** A part of the state that a field changes. */
type Change = Partial<State>;

interface Entry {
  readonly name: keyof State;
  readonly label: string;
  readonly about: string;
  readonly words?: readonly (readonly [value: string, label: string])[];
  readonly list?: string;
  readonly placeholder?: string;
}

const TRAFFIC: readonly Entry[] = [
  { name: "size", label: "Payload, bytes", about: "User data of a message." },
  {
    name: "arrivals", label: "Arrivals", about: "Arrival process of the messages.",
    words: ARRIVALS.map((one) => [one, ARRIVAL_WORDS[one]]),
  },
  { name: "queue", label: "Queue, messages", about: "Capacity in front of the link. A message that finds it full is dropped." },
  { name: "loads", label: "Offered loads, kbit/s", about: "Separated by commas. Empty: from 0.1 to 3 times what each link carries.", placeholder: "such as 10,50,200" },
  { name: "count", label: "Messages", about: "Measured messages for each load." },
  { name: "set", label: "Settings", about: "For all links shown, separated by spaces: parameter=value.", placeholder: "such as range=30m" },
  { name: "seed", label: "Random seed", about: "The same seed gives the same numbers." },
];

const RATE: readonly Entry[] = [
  { name: "of", label: "Link", about: "One of the links of the charts.", words: [] },
  { name: "rate", label: "Message rate", about: "Messages per s, min, h or d.", placeholder: "such as 1/min" },
  { name: "region", label: "Region", about: "Region whose rules apply.", words: REGIONS.map((one) => [one, one.toUpperCase()]) },
  { name: "battery", label: "Battery", about: "A type, or a capacity such as 500mAh.", list: "load-batteries" },
];

export interface Form {
  readonly element: HTMLElement;
  show(state: State): void;
}

/** Fields of the offered traffic. */
export function trafficForm(change: (part: Change) => void): Form {
  return form(TRAFFIC, "Traffic", change);
}

/** Fields of the message rate for regulation and battery life. */
export function rateForm(change: (part: Change) => void): Form {
  return form(RATE, "Message rate", change);
}

function form(entries: readonly Entry[], title: string, change: (part: Change) => void): Form {
  const controls = entries.map((entry) => ({ entry, ...controlOf(entry, change) }));
  return {
    element: html("div", { class: "fields", role: "group", "aria-label": title }, ...controls.map((one) => one.element)),
    show(state) {
      for (const { entry, control, error } of controls) {
        error.textContent = "";
        control.removeAttribute("aria-invalid");
        if (entry.name === "of" && control instanceof HTMLSelectElement) {
          control.replaceChildren(...state.link.map((link) => html("option", { value: link }, link)));
          control.value = state.link.includes(state.of) ? state.of : (state.link[0] ?? "");
        } else if (document.activeElement !== control || control instanceof HTMLSelectElement) {
          control.value = textOf(state, entry.name);
        }
      }
    },
  };
}

function textOf(state: State, name: keyof State): string {
  if (name === "set") return Object.entries(state.set).map(([key, value]) => `${key}=${value}`).join(" ");
  return String(state[name]);
}

/** Reads a field as from an address, so that both accept the same. */
function read(name: keyof State, text: string): parse.Parsed<Change> {
  const words = text.trim().split(/\s+/).filter(Boolean);
  // A setting has a colon in the address and an equals sign on the command line.
  const texts = name === "set" ? words.map((word) => word.replace("=", ":")) : [text.trim()];
  if (name === "set" && !texts.length) return parse.parsed({ set: {} });
  try {
    return parse.parsed({ [name]: (FIELDS[name] as Field<State[keyof State] | Settings>).read(texts) });
  } catch (error) {
    if (error instanceof Problem) return parse.refused(error.message.replace(/^dropped: /, "").replace(/rate:2000$/, "rate=2000"));
    throw error;
  }
}

function controlOf({ name, label, about, words, list, placeholder }: Entry, change: (part: Change) => void) {
  const id = `load-${name}`;
  const attributes = { id, "aria-describedby": `${id}-error ${id}-about` };
  const control = words
    ? html("select", attributes, ...words.map(([value, text]) => html("option", { value }, text)))
    : html("input", { ...attributes, type: "text", list, placeholder, autocomplete: "off", spellcheck: "false" });
  const error = html("p", { class: "error", id: `${id}-error`, "aria-live": "polite" });
  control.addEventListener("change", () => {
    const found = read(name, control.value);
    error.textContent = found.ok ? "" : found.error;
    if (found.ok) {
      control.removeAttribute("aria-invalid");
      change(found.value);
    } else control.setAttribute("aria-invalid", "true");
  });
  const element = html("div", { class: "field" }, html("label", { for: id }, label), control, error,
    html("p", { class: "about", id: `${id}-about` }, about));
  return { element, control, error };
}
