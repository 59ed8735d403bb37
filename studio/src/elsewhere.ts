// The same answer elsewhere: lines to copy, each with its name.

import "./elsewhere.css";
import { copyButton } from "./copy.ts";
import { html } from "./elements.ts";

/** A line: its name, and its text now. */
export type Line = readonly [name: string, text: () => string];

/** Lines on the page, which `show` brings up to date. */
export function elsewhere(lines: readonly Line[]): { readonly element: HTMLElement; show(): void } {
  const made = lines.map(([name, text]) => {
    const code = html("code");
    const copy = copyButton("Copy", text);
    copy.setAttribute("aria-label", `Copy: ${name}`);
    return { element: html("div", { class: "line" }, html("strong", {}, name), code, copy), show: () => void (code.textContent = text()) };
  });
  return {
    element: html("section", { class: "panel elsewhere", "aria-label": "The same answer elsewhere" },
      html("h2", {}, "The same answer elsewhere"),
      html("p", { class: "quiet" }, "With the same seed the command line and Python give the same numbers."),
      ...made.map((one) => one.element)),
    show: () => made.forEach((one) => one.show()),
  };
}

/** A string of Python. JSON has no escape that Python lacks. */
export function pythonText(value: string): string {
  return JSON.stringify(value);
}

/** A dictionary of Python. */
export function pythonDictionary(value: Readonly<Record<string, string>>): string {
  return `{${Object.entries(value).map(([key, each]) => `${pythonText(key)}: ${pythonText(each)}`).join(", ")}}`;
}
