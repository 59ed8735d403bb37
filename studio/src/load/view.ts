// Load: latency, goodput and loss of links against offered load, with regulation and battery life beside.

import "./style.css";
import * as format from "../amounts/format.ts";
import { rate as parseRate } from "../amounts/parse.ts";
import { batteryList } from "../batteries.ts";
import { isCancelled, Newest } from "../core/client.ts";
import { html } from "../elements.ts";
import { aboutChart, sentence } from "../explain/explanation.ts";
import { originOf } from "../explain/origin.ts";
import { reproduction } from "../reproduce.ts";
import type { Host, Opened, View } from "../view.ts";
import { chartOf, limitsMadeOf, linkOf, LIMITS_ORIGIN, madeOf, ORIGIN, rateOf } from "./explain.ts";
import { goodputOf } from "./ceiling.ts";
import { charts } from "./chart.ts";
import { rateForm, trafficForm } from "./form.ts";
import { batteryLife, regulation } from "./limits.ts";
import { linkPicker } from "./picker.ts";
import { curveOf, wordsOf, type Curve } from "./series.ts";
import { FIELDS, goodputQuestion, LONGEST_PERIOD_S, loadLine, loadPython, loadQuestion, rateQuestion, shownLink, type State } from "./state.ts";
import { tables } from "./table.ts";

/** Narrowest charts, px; a narrower page scrolls them. */
const NARROWEST = 300;

export const load: View<State> = { name: "load", title: "Load", fields: FIELDS, open };

function open(host: Host<State>): Opened<State> {
  const { root, core, embed } = host;
  const life = new AbortController();
  const loads = new Newest();
  const rates = new Newest();
  const reasons = new Newest();
  let state: State | undefined;
  let curves: Curve[] = [];
  /** Questions of the present answers, so that a change of one part does not recompute the others. */
  const asked = { load: "", rate: "", explained: "" };

  const picker = linkPicker((link) => change({ link }), embed);
  const traffic = trafficForm(change);
  const rate = rateForm(change);
  const picture = html("div", { class: "chart-frame" });
  const values = html("div");
  const explained = html("details", { class: "panel explained" }, html("summary", {}, "Goodput explained: where the time goes, and the sources of the ceiling"));
  const facts = html("div", { class: "facts" });
  const lines = reproduction({
    command: () => (state ? loadLine(state) : ""),
    python: () => (state ? loadPython(state) : ""),
    address: () => (state ? host.address(state) : ""),
  });
  const origin = originOf(ORIGIN, "How these loads were obtained");
  const limitsOrigin = originOf(LIMITS_ORIGIN, "How these limits and currents were obtained");
  const limitsLine = html("p", { role: "status", class: "quiet" });

  root.append(
    html("h1", {}, "Load"),
    html("p", { class: "quiet", hidden: embed },
      "A queue in front of each link is offered messages, from far below the capacity of the link to far above. " +
      "Each load is a separate run with the same seed."),
    html("div", { class: "panel" }, html("h2", {}, "Links"), picker.element,
      html("div", { hidden: embed }, html("h2", {}, "Traffic"), traffic.element)),
    html("section", { class: "panel", "aria-label": "Charts" }, picture, html("p", { class: "quiet reading" },
      "Vertical rule: largest load that is carried. Dotted: saturated goodput. Dashed across: ceiling by the formulas of the link. " +
      "Crosses: some messages were lost at this load."),
      aboutChart("load", () => chartOf(curves.map((one) => one.load))), origin.element),
    values,
    explained,
    html("div", { class: "panel", hidden: embed }, html("h2", {}, "Regulatory limits and battery life"),
      rate.element, batteryList("load-batteries"), limitsLine, facts, limitsOrigin.element),
    lines.element,
  );
  lines.element.hidden = embed;

  const resized = new ResizeObserver(() => draw());
  resized.observe(picture);
  void names();

  /** Loads the links to choose from. */
  async function names(): Promise<void> {
    try {
      picker.offer((await core.ask({ question: "names" }, { signal: life.signal })).answer);
    } catch (error) {
      if (!isCancelled(error)) host.report([`links: ${lineOf(error)}`]);
    }
  }

  function change(part: Partial<State>): void {
    if (!state) return;
    const next = { ...state, ...part };
    host.report([]);
    host.record(next, true);
    show(next);
  }

  function show(next: State): void {
    const before = state;
    state = next;
    if (before?.link.join() !== next.link.join()) picker.show(next.link);
    traffic.show(next);
    rate.show(next);
    lines.show();
    origin.show(...madeOf(next));
    const questions = next.link.map((link) => loadQuestion(next, link));
    if (asked.load !== JSON.stringify(questions)) {
      asked.load = JSON.stringify(questions);
      picker.show(next.link);
      compute(next);
    }
    explain();
    const link = shownLink(next);
    const question = link === undefined ? undefined : rateQuestion(next, link);
    if (asked.rate !== JSON.stringify(question)) {
      asked.rate = JSON.stringify(question);
      void limits(next, link);
    }
  }

  /** Asks for every link; each is drawn when its answer arrives. */
  function compute(of: State): void {
    const signal = loads.begin();
    curves = [];
    draw();
    if (!of.link.length) picture.replaceChildren(html("p", { class: "quiet" }, "No link is chosen; add one above."));
    of.link.forEach((link, nth) => {
      picker.state(link, "computing…", "busy");
      core.ask(loadQuestion(of, link), { signal, lengthy: true }).then(
        ({ answer }) => {
          if (signal.aborted) return;
          const curve = curveOf(answer, nth);
          curves = [...curves, curve].sort((one, other) => one.nth - other.nth);
          picker.state(link, sentence(`capacity ${link}`, () => linkOf(answer), wordsOf(curve, (kbps) => `${format.number(kbps)} kbit/s`)), "result");
          draw();
        },
        (error: unknown) => {
          if (signal.aborted || isCancelled(error)) return;
          picker.state(link, lineOf(error), "error");
        },
      );
    });
  }

  function draw(): void {
    if (!curves.length) {
      if (state?.link.length) picture.replaceChildren(html("p", { class: "quiet" }, "computing…"));
      values.replaceChildren();
      return;
    }
    const width = Math.max(Math.floor(picture.clientWidth), NARROWEST);
    picture.replaceChildren(charts(curves, width));
    const was = values.querySelector("details");
    const all = tables(curves);
    all.open = was?.open ?? false;
    values.replaceChildren(all);
  }

  explained.addEventListener("toggle", () => explain());

  /** Explains the goodput of the links, once the part is open. */
  function explain(): void {
    if (!state || !explained.open) return;
    const of = state;
    const questions = of.link.map((link) => goodputQuestion(of, link));
    if (asked.explained === JSON.stringify(questions)) return;
    asked.explained = JSON.stringify(questions);
    const signal = reasons.begin();
    const parts = of.link.map((link) => html("p", { class: "quiet" }, `${link}: computing…`));
    explained.replaceChildren(explained.firstElementChild as Element, ...parts);
    questions.forEach((question, nth) => {
      core.ask(question, { signal, lengthy: true }).then(
        ({ answer }) => parts[nth]?.replaceWith(goodputOf(answer, nth)),
        (error: unknown) => {
          if (!isCancelled(error)) parts[nth]?.replaceChildren(lineOf(error));
        },
      );
    });
  }

  async function limits(of: State, link: string | undefined): Promise<void> {
    const signal = rates.begin();
    facts.replaceChildren();
    if (link === undefined) {
      limitsLine.textContent = "No link is chosen.";
      return;
    }
    limitsLine.textContent = "computing…";
    limitsLine.className = "quiet";
    try {
      const { answer } = await core.ask(rateQuestion(of, link), { signal, lengthy: true });
      const [run] = answer;
      if (signal.aborted || !run) return;
      limitsLine.replaceChildren(...sentence("rate", () => rateOf(of), lineAt(of, link, run.causes.overload)));
      limitsOrigin.show(...limitsMadeOf(of, link, checkedAt(of)));
      limitsLine.className = run.causes.overload ? "lost" : "quiet";
      facts.replaceChildren(regulation(run.law, checkedAt(of)), batteryLife(run));
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      limitsLine.textContent = lineOf(error);
      limitsLine.className = "lost";
    }
  }

  return {
    show,
    close() {
      loads.cancel();
      rates.cancel();
      reasons.cancel();
      resized.disconnect();
      life.abort(new DOMException("the view was closed", "AbortError"));
    },
  };
}

/** The load of a message rate, and whether the link carries it. */
function lineAt(of: State, link: string, overload: { offered_per_s: number; carried_per_s: number } | null): string {
  const found = parseRate(of.rate);
  const kbps = ((found.ok ? found.value : 0) * of.size * 8) / 1e3;
  const head = `${link}, ${of.size} B at ${of.rate}: ${format.number(kbps)} kbit/s of user data.`;
  if (!overload) return head;
  const { offered_per_s, carried_per_s } = overload;
  return `${head} Overloaded: ${format.number(offered_per_s)}/s offered, ${format.number(carried_per_s)}/s carried.`;
}

/** The rate at which regulation was checked: the rate of the form, but at least one message per minute. */
function checkedAt(of: State): string {
  const found = parseRate(of.rate);
  return found.ok && 1 / found.value > LONGEST_PERIOD_S
    ? "at one message per minute, which is stricter than the lower rate above"
    : "at this rate";
}

function lineOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
