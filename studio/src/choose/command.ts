// A requirement as a command line to copy.

import { shellLine } from "../shell.ts";
import { NAMES, type OptionName, type Requirement } from "./requirement.ts";

/** Options that take one value each time they occur. */
const REPEATED: ReadonlySet<OptionName> = new Set(["neighbour", "set"]);
/** Options whose percentage needs its sign on the command line. */
const SIGNED: ReadonlySet<OptionName> = new Set(["max-loss", "places-share"]);
/** Options without a value. */
const SWITCHES: ReadonlySet<OptionName> = new Set(["wired", "trade"]);

/** The command line that answers a requirement. */
export function recommendLine(requirement: Requirement): string {
  const links = requirement.links.split(/[\s,]+/).filter(Boolean);
  const words = ["airlag", "recommend", ...new Set(links)];
  for (const option of NAMES) {
    const text = requirement[option].trim();
    if (!text || option === "links") continue;
    if (SWITCHES.has(option)) words.push(`--${option}`);
    else if (SIGNED.has(option)) words.push(`--${option}`, `${text.replace(/\s*%?$/, "")}%`);
    else if (!REPEATED.has(option)) words.push(`--${option}`, text.replace(/\s+/g, ""));
    else for (const one of text.split(/[\s;]+/).filter(Boolean)) words.push(`--${option}`, one);
  }
  return shellLine(words);
}
