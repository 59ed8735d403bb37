// The form of a requirement: one field for each option, in groups.

import { batteryList } from "../batteries.ts";
import { button, html } from "../elements.ts";
import { EMPTY, NAMES, OPTIONS, type OptionName, type Requirement } from "./requirement.ts";

interface Group {
  readonly title: string;
  readonly options: readonly OptionName[];
  /** When it is folded, unless one of its options is set. */
  readonly folded: "never" | "narrow" | "always";
}

const GROUPS: readonly Group[] = [
  { title: "Message", options: ["size", "deadline", "percentile", "max-loss", "period"], folded: "never" },
  { title: "Place", options: ["range", "environment", "places-share", "neighbour", "region"], folded: "narrow" },
  { title: "Energy of the sender", options: ["battery", "battery-life", "rate", "max-charge", "processor"], folded: "narrow" },
  { title: "Search", options: ["links", "set", "budget", "seed", "wired", "trade"], folded: "always" },
];

/** Options with a list to choose from. Others are text. */
const LISTS: Partial<Record<OptionName, readonly (readonly [value: string, label: string])[]>> = {
  region: [["", "not required"], ["eu", "EU"], ["us", "US"]],
  environment: [["", "default: outdoor"]],
  processor: [["", "as measured"]],
};
/** Narrow pages, as in style.css. */
const NARROW = "(max-width: 760px)";
const SWITCHES: ReadonlySet<OptionName> = new Set(["wired", "trade"]);

type Control = HTMLInputElement | HTMLSelectElement;

/** The form on the page. */
export interface Form {
  readonly element: HTMLFormElement;
  read(): Requirement;
  fill(requirement: Requirement): void;
  /** Sets the words of an option to choose from, as the core lists them. */
  offer(option: OptionName, words: readonly string[]): void;
  /** Marks wrong fields with their messages, and moves to the first one. None clears the marks. */
  mark(errors: ReadonlyMap<OptionName, string>): void;
}

/** Builds the form. `submit` is called when the user asks for a search. */
export function requirementForm(submit: () => void): Form {
  const controls = new Map<OptionName, Control>();
  const errors = new Map<OptionName, HTMLElement>();
  const folds: [HTMLDetailsElement, readonly OptionName[]][] = [];

  const element = html("form", { class: "requirement", novalidate: true, "aria-label": "Requirement" });
  for (const { title, options, folded } of GROUPS) {
    const fields = options.map((option) => {
      const made = field(option);
      controls.set(option, made.control);
      errors.set(option, made.error);
      return made.element;
    });
    if (folded === "never") {
      element.append(html("fieldset", {}, html("legend", {}, title), html("div", { class: "fields" }, ...fields)));
      continue;
    }
    const fold = html("details", { open: folded === "narrow" && !matchMedia(NARROW).matches }, html("summary", {}, title), html("div", { class: "fields" }, ...fields));
    folds.push([fold, options]);
    element.append(fold);
  }
  element.append(
    batteryList("choose-batteries"),
    html("p", { class: "actions" }, html("button", { type: "submit", class: "primary" }, "Search"), " ",
      button("Clear", () => fill({ ...EMPTY, ...STARTING }))),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });

  function read(): Requirement {
    return Object.fromEntries(NAMES.map((option) => [option, valueOf(controls.get(option))])) as Requirement;
  }

  function fill(requirement: Requirement): void {
    for (const [option, control] of controls) put(control, requirement[option]);
    for (const [fold, options] of folds) fold.open ||= options.some((option) => requirement[option]);
    mark(new Map());
  }

  function offer(option: OptionName, words: readonly string[]): void {
    const control = controls.get(option);
    if (!(control instanceof HTMLSelectElement)) return;
    const { value } = control;
    const known = (LISTS[option] ?? []).map(([word, label]) => html("option", { value: word }, label));
    control.replaceChildren(...known, ...words.map((word) => html("option", { value: word }, word)));
    put(control, value);
  }

  function mark(found: ReadonlyMap<OptionName, string>): void {
    let first: Control | undefined;
    for (const [option, control] of controls) {
      const message = found.get(option);
      const line = errors.get(option);
      if (line) line.textContent = message ?? "";
      if (message) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
      if (message) first ??= control;
    }
    const fold = first?.closest("details");
    if (fold) fold.open = true;
    first?.focus();
  }

  return { element, read, fill, offer, mark };
}

/** Content of a new form: an example that links meet. */
export const STARTING: Partial<Requirement> = { size: "32", deadline: "20ms" };

function field(option: OptionName): { element: HTMLElement; control: Control; error: HTMLElement } {
  const { label, about, example } = OPTIONS[option];
  const id = `choose-${option}`;
  const described = { id, "aria-describedby": `${id}-error ${id}-about` };
  const hint = html("p", { class: "about", id: `${id}-about` }, about);
  // Present before any error, so that screen readers announce the message.
  const error = html("p", { class: "error", id: `${id}-error`, "aria-live": "polite" });
  const list = LISTS[option];
  if (SWITCHES.has(option)) {
    const control = html("input", { ...described, type: "checkbox" });
    const line = html("label", { class: "switch", for: id }, control, ` ${label}`);
    return { element: html("div", { class: "field" }, line, error, hint), control, error };
  }
  const control = list
    ? html("select", described, ...list.map(([value, text]) => html("option", { value }, text)))
    : html("input", {
        ...described,
        type: "text",
        placeholder: example,
        autocomplete: "off",
        spellcheck: "false",
        list: option === "battery" && "choose-batteries",
      });
  return { element: html("div", { class: "field" }, html("label", { for: id }, label), control, error, hint), control, error };
}

function valueOf(control: Control | undefined): string {
  if (!control) return "";
  if (control instanceof HTMLInputElement && control.type === "checkbox") return control.checked ? "yes" : "";
  return control.value.trim();
}

function put(control: Control, value: string): void {
  if (control instanceof HTMLInputElement && control.type === "checkbox") {
    control.checked = value !== "";
    return;
  }
  // A word that is not in the list stays visible; the core declines it with the valid words.
  if (control instanceof HTMLSelectElement && ![...control.options].some((one) => one.value === value)) {
    control.append(html("option", { value }, value));
  }
  control.value = value;
}
