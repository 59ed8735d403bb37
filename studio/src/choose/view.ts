// Choose a radio: a requirement, and the verdict on every link.

import "./style.css";
import { CoreError, isCancelled, Newest } from "../core/client.ts";
import { html } from "../elements.ts";
import { reproduction } from "../reproduce.ts";
import type { Host, Opened, View } from "../view.ts";
import { recommendLine, recommendPython } from "./command.ts";
import { requirementForm, STARTING } from "./form.ts";
import { matrixOf } from "./matrix.ts";
import { search, type Ask, type Pass } from "./passes.ts";
import { progressPanel } from "./progress.ts";
import { EMPTY, FIELDS, readRequirement, USUAL_BUDGET_S, type Recommend, type Requirement } from "./requirement.ts";
import { summary } from "./summary.ts";
import { matrixTable } from "./table.ts";

/** A link whose parameters list the environments and processors: every radio has the same. */
const LISTED_BY = "nrf24-2m";

export const choose: View<Requirement> = {
  name: "choose",
  title: "Choose a radio",
  fields: FIELDS,
  open,
};

function open(host: Host<Requirement>): Opened<Requirement> {
  const { root, core, embed } = host;
  const life = new AbortController();
  const newest = new Newest();
  const form = requirementForm(submit);
  const progress = progressPanel(cancel);
  const found = html("div", { class: "found" });
  const table = matrixTable(life.signal);
  let current: Requirement = EMPTY;
  const lines = reproduction({
    command: () => recommendLine(current),
    python: () => recommendPython(current),
    address: () => host.address(current),
  });
  let passes: Pass[] = [];

  root.append(
    html("h1", {}, "Choose a radio"),
    html("p", { class: "quiet", hidden: embed },
      "Every link profile against a requirement: as it is, and with the settings that an engineer would ship. " +
      "A search takes up to half a minute of one core. First results appear after a second or two."),
    html("div", { class: "panel", hidden: embed }, form.element),
    progress.element,
    found,
    table.element,
    lines.element,
  );
  lines.element.hidden = true;
  void lists();

  /** Environments and processors to choose from, as the core lists them. */
  async function lists(): Promise<void> {
    try {
      const { answer } = await core.ask({ question: "parameters", link: LISTED_BY }, { signal: life.signal });
      form.offer("environment", answer["environment"]?.choices ?? []);
      form.offer("processor", answer["processor"]?.choices ?? []);
    } catch (error) {
      if (!isCancelled(error)) host.report([`choices of environments and processors: ${lineOf(error)}`]);
    }
  }

  function submit(): void {
    const requirement = form.read();
    const { errors } = readRequirement(requirement);
    form.mark(errors);
    if (errors.size) return;
    host.report([]);
    host.record(requirement, true);
    start(requirement);
  }

  function start(requirement: Requirement): void {
    const { question, errors } = readRequirement(requirement);
    rest();
    current = requirement;
    form.mark(errors);
    if (question) void run(question);
  }

  /** Ends a search, and removes its results. */
  function rest(): void {
    newest.cancel();
    passes = [];
    current = EMPTY;
    lines.element.hidden = true;
    found.replaceChildren();
    table.clear();
    progress.end();
  }

  async function run(question: Recommend): Promise<void> {
    const signal = newest.begin();
    const budget_s = question.budget_s ?? USUAL_BUDGET_S;
    progress.begin(budget_s);
    const ask: Ask = (asked, until, reached) =>
      core.ask(asked, { signal: until, lengthy: true, progress: (done_ms) => reached?.(done_ms / 1e3) });
    const report = (pass: Pass) => {
      if (!signal.aborted) show(pass);
    };
    try {
      await search(ask, question, budget_s, signal, report, progress.reached);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      progress.end();
      host.report([`recommend: ${lineOf(error)}`]);
    }
  }

  function show(pass: Pass): void {
    passes.push(pass);
    progress.passed(pass);
    found.replaceChildren(summary(pass));
    table.show(matrixOf(pass.answer));
    lines.element.hidden = embed;
    lines.show();
  }

  function cancel(): void {
    newest.cancel();
    progress.cancelled(passes.at(-1));
  }

  return {
    show(state) {
      // Without a deadline there is no question; the form shows an example.
      const asked = state.deadline !== "";
      form.fill(asked ? state : { ...EMPTY, ...STARTING });
      if (asked) start(state);
      else rest();
    },
    close() {
      rest();
      life.abort(new DOMException("the view was closed", "AbortError"));
    },
  };
}

function lineOf(error: unknown): string {
  if (error instanceof CoreError || error instanceof Error) return error.message;
  return String(error);
}
