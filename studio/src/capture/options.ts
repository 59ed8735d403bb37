// Channels and pairing as a form, with the options of `airlag analyze`.

import { count, inUnits, percent, plainNumber, TIMES } from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { figure } from "../explain/explanation.ts";
import { wireOf } from "./explain.ts";
import { Problem, type Field } from "../state.ts";
import { channelKey, FIELDS, UNITS, type State } from "./state.ts";

export interface Options {
  readonly element: HTMLElement;
  /** Shows a state with the channels of the capture; none for a table, undefined while unknown. */
  show(state: State, channels: answers.Wire[] | undefined, used: readonly [string, string] | null): void;
}

type TextName = "minlow" | "overlap" | "deadline" | "column";

const TEXTS: readonly { readonly name: TextName; readonly label: string; readonly about: string; readonly example: string; readonly table: boolean }[] = [
  { name: "minlow", label: "Shortest low time", about: "Minimum low time before a rise that counts as a trigger.", example: "1us", table: false },
  { name: "overlap", label: "Overlap", about: "Accept a completion up to this time after its trigger, even after further triggers. Empty: only until the next trigger.", example: "such as 20ms", table: false },
  { name: "column", label: "Column", about: "Column of the latencies: a name, or a position from 0.", example: "the only one", table: true },
  { name: "deadline", label: "Deadline", about: "Counts transfers that take longer or are lost.", example: "such as 20ms", table: false },
];

export function optionsForm(change: (part: Partial<State>) => void): Options {
  const trigger = select("trigger", "Trigger", (value) => change({ trigger: value }));
  const completion = select("completion", "Completion", (value) => change({ completion: value }));
  const unit = select("unit", "Unit", (value) => change({ unit: value as State["unit"] }));
  const fields = TEXTS.map((entry) => ({ entry, ...textField(entry, change) }));
  const inverted = html("div", { class: "row", role: "group", "aria-label": "Channels that are active low" });
  const table = html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Activity on each channel" });
  const element = html("div", {},
    html("div", { class: "fields" }, trigger.element, completion.element, unit.element, ...fields.map((one) => one.element)),
    inverted, table);

  return {
    element,
    show(state, channels, used) {
      const wires = channels ?? [];
      const names = wires.map((one) => one.name);
      for (const [one, at] of [[trigger, 0], [completion, 1]] as const) {
        const chosen = at ? state.completion : state.trigger;
        // The default is the channel that the analysis used.
        const automatic = used ? `automatic: ${used[at]}` : "automatic";
        const keys = wires.map((wire) => [channelKey(wire.name, wire.position, names), wire.name] as const);
        fill(one.control, [["", automatic], ...keys], chosen);
        one.element.hidden = !wires.length && !chosen;
      }
      fill(unit.control, UNITS.map((one) => [one, one || "from the header, else s"]), state.unit);
      const isTable = channels !== undefined && !wires.length;
      unit.element.hidden = !isTable;
      for (const { entry, element: each, control, error } of fields) {
        each.hidden = entry.table !== isTable && entry.name !== "deadline";
        error.textContent = "";
        control.removeAttribute("aria-invalid");
        if (document.activeElement !== control) control.value = state[entry.name];
      }
      showInverted(state, wires, names);
      table.replaceChildren(...(wires.length ? [activity(wires)] : []));
      table.hidden = !wires.length;
    },
  };

  function showInverted(state: State, wires: readonly answers.Wire[], names: readonly string[]): void {
    inverted.hidden = !wires.length;
    inverted.replaceChildren(html("span", {}, "Active low:"), ...wires.slice(0, 16).map((wire) => {
      const key = channelKey(wire.name, wire.position, names);
      const box = html("input", { type: "checkbox", checked: state.invert.includes(key) });
      box.addEventListener("change", () => {
        const rest = state.invert.filter((one) => one !== key);
        change({ invert: box.checked ? [...rest, key] : rest });
      });
      return html("label", {}, box, ` ${wire.name}`);
    }));
  }
}

/** Fills a list with choices. A state that is none of them stays visible. */
function fill(control: HTMLSelectElement, all: readonly (readonly [string, string])[], chosen: string): void {
  const known = all.some(([value]) => value === chosen) ? all : [...all, [chosen, chosen] as const];
  control.replaceChildren(...known.map(([value, text]) => html("option", { value }, text)));
  control.value = chosen;
}

function select(name: string, label: string, chosen: (value: string) => void) {
  const id = `capture-${name}`;
  const control = html("select", { id });
  control.addEventListener("change", () => chosen(control.value));
  return { control, element: html("div", { class: "field" }, html("label", { for: id }, label), control) };
}

function textField({ name, label, about, example }: (typeof TEXTS)[number], change: (part: Partial<State>) => void) {
  const id = `capture-${name}`;
  const control = html("input", { id, type: "text", placeholder: example, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-error ${id}-about` });
  const error = html("p", { class: "error", id: `${id}-error`, "aria-live": "polite" });
  control.addEventListener("change", () => {
    try {
      const value = (FIELDS[name] as Field<string>).read([control.value]);
      error.textContent = "";
      control.removeAttribute("aria-invalid");
      change({ [name]: value });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      error.textContent = problem.message.replace(/^dropped: /, "");
      control.setAttribute("aria-invalid", "true");
    }
  });
  const element = html("div", { class: "field" }, html("label", { for: id }, label), control, error,
    html("p", { class: "about", id: `${id}-about` }, about));
  return { element, control, error };
}

/** Activity of each channel, as `airlag channels` prints it. */
function activity(wires: readonly answers.Wire[]): HTMLElement {
  const time = (ns: number | null): string => (ns === null ? "–" : inUnits(ns, TIMES));
  const shown = (wire: answers.Wire, column: Parameters<typeof wireOf>[1], text: string) =>
    html("td", {}, figure(`channel ${wire.position} ${column}`, () => wireOf(wire, column), text));
  const rows = wires.map((wire) => html("tr", {},
    html("th", { scope: "row" }, wire.name),
    html("td", {}, wire.initial === null ? "–" : wire.initial ? "high" : "low"),
    shown(wire, "rises", count(wire.rises)),
    shown(wire, "rate", wire.rate_hz === null ? "–" : plainNumber(Number(wire.rate_hz.toPrecision(4)))),
    shown(wire, "high", wire.high === null ? "–" : percent(wire.high)),
    shown(wire, "shortest_high", time(wire.shortest_high_ns)),
    shown(wire, "shortest_low", time(wire.shortest_low_ns)),
  ));
  const head = ["channel", "begins", "rises", "rises per s", "high", "shortest high", "shortest low"];
  return html("table", {}, html("caption", {}, "Activity on each channel"),
    html("thead", {}, html("tr", {}, ...head.map((one) => html("th", { scope: "col" }, one)))), html("tbody", {}, ...rows));
}
