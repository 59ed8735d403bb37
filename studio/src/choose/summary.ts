// Summary above the matrix: requirement, state of the search, first choice, and what is not assessed.

import * as format from "../amounts/format.ts";
import { copyButton } from "../copy.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { sentence } from "../explain/explanation.ts";
import { originOf } from "../explain/origin.ts";
import { detailOf, madeOf, ORIGIN, requirementOf, workOf } from "./explain.ts";
import { shellLine } from "../shell.ts";
import { addressOf, decidedOf, tunedOf } from "./matrix.ts";
import type { Pass } from "./passes.ts";

/** Largest number of undecided links by name. The matrix contains all of them. */
const MOST_NAMES = 8;

/** Summary of a pass. */
export function summary(pass: Pass): HTMLElement {
  const { answer } = pass;
  const origin = originOf(ORIGIN, "How these verdicts were obtained");
  origin.show(...madeOf(answer));
  return html(
    "section",
    { class: `panel summary ${pass.final ? "final" : "early"}`, "aria-label": "Result" },
    html("h2", {}, ...sentence("requirement", requirementOf, answer.requirements.join(" · "))),
    html("p", { class: pass.final ? "stage" : "stage warning", ...(pass.final ? { role: "status" } : {}) }, ...sentence("work", () => workOf(answer), stageOf(pass))),
    choiceOf(pass),
    ...unfinished(pass),
    html("p", { class: "quiet" }, notAssessed(answer)),
    origin.element,
  );
}

function stageOf({ answer, budget_s, final }: Pass): string {
  const work = `${format.number(answer.work_s)} s of work`;
  if (final) return `Result: ${decidedOf(answer)}, with ${work}.`;
  return (
    `Early pass, limited to ${format.compact(format.number(budget_s))} s of work: ${decidedOf(answer)}. ` +
    "The whole search has more work for each link, and its verdicts replace these."
  );
}

/** The first choice, or the nearest link. */
function choiceOf({ answer, final }: Pass): HTMLElement {
  const [best] = answer.candidates;
  if (!best) return html("p", {}, "No link profile is a candidate.");
  const reason = sentence("choice", () => detailOf("reason", best, answer.task), best.reason);
  const open = best.verdict === "undecided" || best.verdict === "close";
  const tuned = tunedOf(best).map(([name, value]) => `${name}=${value}`).join(" ");
  const link = html("a", { href: addressOf("packet", best) }, best.link);
  const command = shellLine(best.command);
  if (best.verdict === "passes") {
    const head = final ? "First choice: " : "First choice so far: ";
    return html("p", { class: "choice" }, html("b", {}, head), link, tuned ? ` with ${tuned}` : "", ". ", ...reason, ". ", copyButton("Copy its command line", () => command));
  }
  const none = open ? "No link is known to meet every requirement" : "No link meets every requirement";
  const next = open ? " Not ruled out: " : " Nearest: ";
  return html("p", { class: "choice" }, html("b", {}, `${none}${final ? "" : " so far"}.`), next, link, tuned ? ` with ${tuned}` : "", ...(best.reason ? [". ", ...reason] : []), ".");
}

/** Links that the budget leaves undecided, by name. */
function unfinished({ answer, budget_s, final }: Pass): HTMLElement[] {
  const open = answer.candidates.filter((one) => one.verdict === "undecided").map((one) => one.link);
  if (!final || answer.complete || !open.length) return [];
  const names = open.length > MOST_NAMES ? `${open.length} links` : open.join(", ");
  const line =
    `Undecided within ${format.compact(format.number(budget_s))} s of work: ${names}. ` +
    "Nothing is concluded about them. Increase the work budget, or name fewer links.";
  return [html("p", { class: "warning" }, ...sentence("unfinished", () => workOf(answer), line))];
}

function notAssessed({ task }: answers.Recommendation): string {
  const without = ["Price and licences are not assessed"];
  if (!task.max_charge_nc && !task.battery) without.push("nor current without a battery or a charge limit");
  if (!task.range) without.push("nor distance without a range");
  const legal = task.region
    ? " Engineering information, not legal advice; unconfirmed limits were not checked against their documents."
    : "";
  return `${without.join(", ")}. All verdicts of one answer hold jointly with 95 % confidence.${legal}`;
}
