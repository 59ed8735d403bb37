// Command line, Python and address that reproduce a result, to copy.

import "./reproduce.css";
import { copyButton } from "./copy.ts";
import { html } from "./elements.ts";

declare const AIRLAG_VERSION: string;

/** A line to copy: its name, and its present text. */
type Line = readonly [name: string, text: () => string];

/** The same result elsewhere. All are texts of the present state. */
export interface Elsewhere {
  readonly command: () => string;
  readonly python: () => string;
  readonly address: () => string;
  readonly further?: readonly Line[];
}

/** Panel of the lines. `show` updates their texts. */
export function reproduction({ command, python, address, further = [] }: Elsewhere): { readonly element: HTMLElement; show(): void } {
  const lines: Line[] = [
    ["Command line", command],
    ["Python", python],
    ["Address", address],
    ...further,
    // Numbers depend on the version, the command and its seed; the address depends on the location of the page.
    ["Citation", () => (command() ? `airlag ${AIRLAG_VERSION}, virtual bench, "${command()}"` : "")],
  ];
  const made = lines.map(([name, text]) => {
    const code = html("code");
    const copy = copyButton("Copy", text);
    copy.setAttribute("aria-label", `Copy: ${name}`);
    const element = html("div", { class: "line" }, html("strong", {}, name), code, copy);
    // A line without a text does not apply to the present state.
    return { element, show: () => (element.hidden = !(code.textContent = text())) };
  });
  return {
    element: html("section", { class: "panel reproduction", "aria-label": "Reproduce this result" },
      html("h2", {}, "Reproduce this result"),
      html("p", { class: "quiet" }, "With the same seed the command line and Python give the same numbers."),
      ...made.map((one) => one.element)),
    show: () => made.forEach((one) => one.show()),
  };
}

/** A string literal of Python. Python has every escape of JSON. */
export function pythonText(value: string): string {
  return JSON.stringify(value);
}

/** A dictionary of Python. */
export function pythonDictionary(value: Readonly<Record<string, string>>): string {
  return `{${Object.entries(value).map(([key, each]) => `${pythonText(key)}: ${pythonText(each)}`).join(", ")}}`;
}
