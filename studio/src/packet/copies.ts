// The same run elsewhere: command line, Python, address.

import { copyButton } from "../copy.ts";
import { html } from "../elements.ts";
import type { Host } from "../view.ts";
import { commandLine, pythonLine } from "./commands.ts";
import type { Bench, State } from "./state.ts";

export function copies(host: Host<State>, state: () => State, bench: () => Bench) {
  const lines: [string, string, () => string][] = [
    ["Command line", "Copy the command line", () => commandLine(bench())],
    ["Python", "Copy the Python line", () => pythonLine(bench())],
    ["Address", "Copy the address", () => host.address(state())],
    ["Charts alone, for another page", "Copy the address of the charts", () => embedded(host.address(state()))],
  ];
  const made = lines.map(([name, label, text]) => {
    const code = html("code");
    const element = html("div", { class: "copy" }, html("strong", {}, name), code, copyButton(label, text));
    return { element, show: () => void (code.textContent = text()) };
  });
  return {
    element: html("section", { class: "panel", "aria-label": "The same run elsewhere" },
      html("h2", {}, "The same run elsewhere"),
      html("p", { class: "quiet" }, "With the same seed the command line and Python print the same numbers."),
      ...made.map((one) => one.element)),
    show: () => made.forEach((one) => one.show()),
  };
}

function embedded(address: string): string {
  const url = new URL(address);
  url.search = "?embed";
  return url.href;
}
