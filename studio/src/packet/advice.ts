// Advice: recommended changes, each as a button that sets the knobs.

import { isCancelled, Newest, type Core } from "../core/client.ts";
import { button, html } from "../elements.ts";
import type { answers } from "../core/questions.ts";
import { sentence, type Explanation } from "../explain/explanation.ts";
import * as of from "../generated/descriptions.ts";
import { originOf } from "../explain/origin.ts";
import { asked, type Bench } from "./state.ts";

export interface AdvicePanel {
  readonly element: HTMLElement;
  /** Shows the bench for which advice may be requested. Advice for another bench is removed. */
  show(bench: Bench, aim: answers.Aim): void;
  close(): void;
}

/** Applies the settings of a piece of advice, in addition to those of the bench. */
export type Take = (settings: Readonly<Record<string, string>>) => void;

/** Settings in the syntax of the command line: `--set rate=250 --set payload=exact`. */
export function settingsOf(text: string): Record<string, string> {
  const found = text.matchAll(/--set ([a-z][a-z0-9_]*)=(\S+)/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name ?? "", value ?? ""]));
}

export function advicePanel(core: Core, take: Take, aimed: (aim: answers.Aim) => void): AdvicePanel {
  const aims = html("select", { id: "aim" },
    html("option", { value: "tail" }, "p99"), html("option", { value: "median" }, "median"));
  const search = button("Find what to change", () => void run());
  const stop = button("Cancel", () => newest.cancel(), { hidden: true });
  const result = html("div", { "aria-live": "polite" });
  const newest = new Newest();
  let present: Bench | undefined;
  let key = "";
  aims.addEventListener("change", () => aimed(aims.value as answers.Aim));

  async function run(): Promise<void> {
    if (!present) return;
    const bench = present;
    search.disabled = true;
    stop.hidden = false;
    result.replaceChildren(html("p", {}, html("progress", { "aria-label": "Measuring changes" }), " Measuring each change on the bench; a few seconds."));
    try {
      const question = { ...asked(bench), question: "advise", for: aims.value as answers.Aim } as const;
      const { answer } = await core.ask(question, { signal: newest.begin(), lengthy: true });
      result.replaceChildren(...stepsOf(answer, take, bench));
    } catch (error) {
      const message = isCancelled(error) ? [] : [html("p", { class: "lost" }, (error as Error).message)];
      result.replaceChildren(...message);
    } finally {
      search.disabled = false;
      stop.hidden = true;
    }
  }

  return {
    element: html("section", { class: "panel advice", "aria-label": "Advice" },
      html("h2", {}, "What to change"),
      html("div", { class: "row" }, html("label", { for: "aim" }, "Reduce the"), aims, search, stop),
      result),
    show(bench, aim) {
      aims.value = aim;
      const next = JSON.stringify([bench, aim]);
      if (next === key) return;
      key = next;
      present = bench;
      newest.cancel();
      result.replaceChildren();
    },
    close: () => newest.cancel(),
  };
}

const ORIGIN = "origin-advice";

/** The explanation of a step: both runs, and how its effect was measured. */
function explanationOf(step: answers.AdviceStep, { choice_seed, tried, measured }: answers.Advice, bench: Bench): Explanation {
  return {
    name: step.lead || "advice",
    what: `${of.AdviceStep_text} Before the arrow: this run. After it: the same run with these settings.`,
    how: [
      `Simulated: ${bench.count} messages of ${bench.link}, random seed ${bench.seed}, with ${step.settings || "the present settings"}.`,
      `Selected in ${tried - measured} runs with seed ${choice_seed}, then measured again in ${measured} runs with the seed of this run.`,
    ],
    sources: ["Each change is a parameter of the link, whose source stands beside its control."],
    field: "steps[].text",
    origin: ORIGIN,
  };
}

function stepsOf(advice: answers.Advice, take: Take, bench: Bench): HTMLElement[] {
  const { steps } = advice;
  const words = (step: answers.AdviceStep) => sentence(`advice ${steps.indexOf(step)}`, () => explanationOf(step, advice, bench), step.text);
  const items = steps.filter((step) => step.lead).map((step) => {
    const settings = settingsOf(step.settings);
    const names = Object.entries(settings).map(([name, value]) => `${name.replaceAll("_", " ")} = ${value}`).join(", ");
    const turn = Object.keys(settings).length ? button(`Set ${names}`, () => take(settings)) : html("code", {}, step.settings);
    return html("li", {}, html("div", { class: "row" }, html("strong", {}, step.lead), turn), html("p", {}, ...words(step)));
  });
  const notes = steps.filter((step) => !step.lead).map((step) => html("p", { class: step.kind === "method" ? "quiet" : "" }, ...words(step)));
  const origin = originOf(ORIGIN, "How advice is measured");
  origin.show(of.Advice, `${of.Advice_tried} ${of.Advice_measured} ${of.Advice_choice_seed}`);
  return [...(items.length ? [html("ol", { class: "steps" }, ...items)] : []), ...notes, origin.element];
}
