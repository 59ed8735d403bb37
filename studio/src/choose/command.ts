// A requirement as a command line and as Python to copy.

import { shellLine } from "../shell.ts";
import { pythonDictionary, pythonText } from "../reproduce.ts";
import { NAMES, readRequirement, type OptionName, type Requirement } from "./requirement.ts";

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

/** Options whose text is an argument of Python of the same meaning. */
const PYTHON_TEXTS = [
  ["period", "period"],
  ["range", "range"],
  ["environment", "environment"],
  ["region", "region"],
  ["battery", "battery"],
  ["battery-life", "battery_life"],
  ["rate", "rate"],
  ["max-charge", "max_charge"],
  ["processor", "processor"],
  ["budget", "budget"],
] as const satisfies readonly (readonly [OptionName, string])[];

/** The expression of Python that answers a requirement. Empty if it cannot be answered. */
export function recommendPython(requirement: Requirement): string {
  const { question } = readRequirement(requirement);
  if (!question) return "";
  const plain = (option: OptionName) => requirement[option].replace(/\s+/g, "");
  const words = [pythonText(plain("deadline")), `size=${question.size}`];
  const { links = [], percentile, max_loss, places_share, neighbours = [], settings = {}, seed, wired, trade } = question;
  const list = (all: readonly string[]) => `[${all.map(pythonText).join(", ")}]`;
  if (links.length) words.push(`links=${list(links)}`);
  if (percentile !== undefined) words.push(`percentile=${percentile}`);
  if (max_loss !== undefined) words.push(`max_loss=${max_loss}`);
  if (places_share !== undefined) words.push(`places_share=${places_share}`);
  for (const [option, argument] of PYTHON_TEXTS) {
    if (requirement[option].trim()) words.push(`${argument}=${pythonText(plain(option))}`);
  }
  if (neighbours.length) words.push(`neighbours=${list(neighbours)}`);
  if (Object.keys(settings).length) words.push(`settings=${pythonDictionary(settings)}`);
  if (wired) words.push("wired=True");
  if (trade) words.push("trade=True");
  if (seed !== undefined) words.push(`seed=${seed}`);
  return `airlag.recommend(${words.join(", ")})`;
}
