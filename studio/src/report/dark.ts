// Adapts chart colours to the page's light or dark scheme.

import { embeddedJson, page } from "./state.ts";

/** Dark variants, by light colour, of colours that would be invisible on dark: those of theme.json. */
const DARK = embeddedJson<Readonly<Record<string, string>>>("dark", {});
const IN_A_TABLE = new RegExp(`(?<=,)(${Object.keys(DARK).join("|")})(?=\\n|,|$)`, "g");

/** Returns the specification in the page's scheme. */
export function recoloured<T>(value: T): T {
  return page.dark.matches ? (dark(value) as T) : value;
}

function dark(value: unknown): unknown {
  if (typeof value === "string") {
    return DARK[value] ?? (value.includes("\n") ? value.replace(IN_A_TABLE, (light) => DARK[light] ?? light) : value);
  }
  if (Array.isArray(value)) return value.map(dark);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, dark(each)]));
}
