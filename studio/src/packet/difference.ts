// Differences between the runs of two benches, with confidence intervals: those of `airlag compare`.

import { number, percent, timeUnit, type Unit } from "../amounts/format.ts";
import { isCancelled, Newest, type Core } from "../core/client.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { figure, sentence } from "../explain/explanation.ts";
import * as explain from "./explain.ts";
import { table, type Cell } from "./facts.ts";
import { asked, type Bench } from "./state.ts";
import type { Shown } from "./timeline.ts";

/** Unit of a delivery ratio in a table, and of a difference between two ratios. */
const PERCENT: Unit = { name: "%", size: 0.01 };

export interface DifferencePanel {
  readonly element: HTMLElement;
  /** Compares two complete runs. For anything else, the comparison is removed. */
  show(all: readonly Shown[]): void;
  close(): void;
}

export function differencePanel(core: Core): DifferencePanel {
  const element = html("div", { class: "differences", "aria-live": "polite" });
  const newest = new Newest();
  let present: readonly Bench[] = [];

  async function compare(all: readonly Shown[], [a, b]: readonly [Bench, Bench]): Promise<void> {
    const signal = newest.begin();
    element.replaceChildren(html("p", { class: "quiet" }, "The differences are being computed …"));
    try {
      const { answer } = await core.ask({ question: "compare-runs", a: asked(a), b: asked(b) }, { signal });
      element.replaceChildren(...shown(answer, all));
    } catch (error) {
      if (!isCancelled(error)) element.replaceChildren(html("p", { class: "lost" }, (error as Error).message));
    }
  }

  return {
    element,
    show(all) {
      const [a, b] = all.map(({ seen }) => seen);
      const both = a?.whole && b?.whole ? ([a.bench, b.bench] as const) : undefined;
      if (both?.[0] === present[0] && both?.[1] === present[1]) return;
      present = both ?? [];
      newest.cancel();
      element.replaceChildren();
      if (both) void compare(all, both);
    },
    close: () => newest.cancel(),
  };
}

/** The verdict, its reasons, and the table. */
function shown(found: answers.Comparison, all: readonly Shown[]): HTMLElement[] {
  const why = () => explain.comparedOf("comparison", found, all);
  const words = (lines: readonly string[], of: string) => lines.map((line, nth) => html("p", {}, ...sentence(`difference ${of} ${nth}`, why, line)));
  const verdict = found.comparable ? "The runs are comparable." : "The runs are not comparable:";
  const quicker = found.b_quicker;
  return [
    html("p", { class: found.comparable ? "verdict" : "verdict lost" }, verdict),
    ...words(found.obstacles, "obstacle"), ...words(found.notes, "note"),
    differences(found, all),
    ...(quicker === null ? [] : [html("p", {}, "A message of B is faster in ",
      figure("difference faster", () => explain.fasterOf(found, all), percent(quicker)), " of pairs of one message of each run.")]),
  ];
}

function differences(found: answers.Comparison, all: readonly Shown[]): HTMLElement {
  const line = (name: string, { a, b, difference, interval95 }: answers.Difference, unit: Unit): Cell[] => {
    const why = () => explain.differenceOf(name, found, all, unit);
    const value = (of: number | null) => (of === null ? "unbounded" : number(of / unit.size));
    const signed = (of: number | null) => (of !== null && of > 0 ? `+${value(of)}` : value(of));
    const cell = (column: string, text: string) => figure(`difference ${name} ${column}`, why, text);
    return [
      `${name}, ${unit.name}`, cell("a", value(a)), cell("b", value(b)), cell("B − A", signed(difference)),
      cell("interval", `${signed(interval95[0])} to ${signed(interval95[1])}`),
    ];
  };
  const quantiles = Object.entries(found.latency_ns).map(([name, one]) => line(name, one, timeUnit([one.a, one.b])));
  const delivery = found.delivery ? [line("delivery ratio", found.delivery, PERCENT)] : [];
  return table("Differences, B minus A. An interval that includes zero may be chance.",
    ["", "A", "B", "B − A", "95 % interval"], [...quantiles, ...delivery], { class: "difference" });
}
