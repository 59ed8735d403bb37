// The analysis as a file, and the command line that prints it.

import { copyButton } from "../copy.ts";
import { button, html } from "../elements.ts";
import { analyzeLine, type State } from "./state.ts";

/** An answer about one capture as `airlag analyze --json` prints it: a list of one, with a line break at its end. */
export function printed(json: string): string {
  // Not by a regular expression with ^: that would also match after U+2028 in the name of a channel.
  return `[\n  ${json.split("\n").join("\n  ")}\n]\n`;
}

export function exportPanel(json: () => string, state: State, file: string): HTMLElement {
  const line = html("code", {}, analyzeLine(state, file));
  return html("div", {},
    html("p", { class: "actions" }, button("Save the answer as JSON", () => save(printed(json()), `${file.replace(/\.[^.]*$/, "") || "capture"}.json`)),
      copyButton("Copy the JSON", () => printed(json()))),
    html("p", { class: "quiet" }, "On the command line, the same bytes:"),
    html("p", { class: "actions" }, line, copyButton("Copy the command line", () => line.textContent ?? "")));
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = html("a", { href: address, download: name });
  link.click();
  // The browser has taken the address once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
