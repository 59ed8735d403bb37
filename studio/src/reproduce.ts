// Command line, Python and address that reproduce a result, to copy.

import "./reproduce.css";
import { copyButton } from "./copy.ts";
import { html } from "./elements.ts";

/** A line to copy: its name, and its present text. */
export type Line = readonly [name: string, text: () => string];

/** Panel of the lines. `show` updates their texts. */
export function reproduction(lines: readonly Line[]): { readonly element: HTMLElement; show(): void } {
  const made = lines.map(([name, text]) => {
    const code = html("code");
    const copy = copyButton("Copy", text);
    copy.setAttribute("aria-label", `Copy: ${name}`);
    return { element: html("div", { class: "line" }, html("strong", {}, name), code, copy), show: () => void (code.textContent = text()) };
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
