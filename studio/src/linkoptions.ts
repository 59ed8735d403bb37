// Links as the options of a list, in groups by kind.

import type { answers } from "./core/questions.ts";
import { html } from "./elements.ts";

/** Options for links, in the order of the profiles. Those in `disabled` cannot be chosen. */
export function optionsByKind(links: readonly answers.LinkName[], disabled: readonly string[] = []): HTMLElement[] {
  const kinds = new Map<string, answers.LinkName[]>();
  for (const link of links) kinds.set(link.kind, [...(kinds.get(link.kind) ?? []), link]);
  return [...kinds].map(([kind, each]) =>
    html("optgroup", { label: kind }, ...each.map(({ name, about, good_practice }) =>
      html("option", { value: name, title: about, disabled: disabled.includes(name) },
        good_practice ? `${name} (good practice)` : name))));
}
