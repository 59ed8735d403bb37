// The boards during the followed packet. They are requested once the run is complete, because the question records
// all slices.

import { timeUnit } from "../amounts/format.ts";
import { isCancelled, Newest, type Core } from "../core/client.ts";
import { html } from "../elements.ts";
import type { Seen } from "./bench.ts";
import { lanesOf, triggerOf, type Lane } from "./boards.ts";
import { drawBoards } from "./boardview.ts";
import { panel, select, wholeBox } from "./layout.ts";
import { asked, type State } from "./state.ts";

const ARRAYS = ["trigger_ns", "completion_ns", "track", "slice", "begin_ns", "end_ns"] as const;
type Followed = Pick<State, "follow" | "message">;
/** Time without changes after the last turn of a knob, ms. */
const CALM_MS = 250;

export class Boards {
  readonly element: HTMLElement;
  private readonly stage = html("div", { class: "boards" });
  private readonly choice;
  private readonly number;
  private readonly newest = new Newest();
  private readonly sized = new ResizeObserver(() => this.draw());
  private key = "";
  private shown: { lanes: Lane[]; latency_ns: number } | undefined;

  constructor(private readonly core: Core, chosen: (part: Partial<Followed>) => void) {
    this.choice = select("follow", "During the", [["median", "median packet"], ["p99", "p99 packet"], ["message", "packet number"]], (follow) => chosen({ follow }));
    this.number = wholeBox("message", "Number", 1, 10_000, (message) => chosen({ follow: "message", message }));
    this.element = panel("Both boards", "both", html("div", { class: "row" }, this.choice.element, this.number.element), this.stage);
    this.sized.observe(this.stage);
  }

  show(seen: Seen, { follow, message }: Followed): void {
    this.choice.show(follow);
    this.number.show(message);
    this.number.element.hidden = follow !== "message";
    const key = JSON.stringify([seen.bench, follow, message]);
    if (key === this.key) return;
    this.key = key;
    void this.ask(seen, { follow, message });
  }

  /** Cancels the running question, because the bench changes and its worker is needed for the new one. */
  pause(): void {
    this.newest.cancel();
    this.key = "";
  }

  close(): void {
    this.newest.cancel();
    this.sized.disconnect();
  }

  private async ask({ bench, answer }: Seen, followed: Followed): Promise<void> {
    const signal = this.newest.begin();
    const { budget } = answer;
    if (!budget) {
      this.shown = undefined;
      this.stage.replaceChildren(html("p", {}, "No message was delivered."));
      return;
    }
    try {
      await new Promise((settle) => setTimeout(settle, CALM_MS));
      if (signal.aborted) return;
      const question = { ...asked(bench), question: "run", slices: true, findings: false } as const;
      const { runs } = await this.core.ask(question, { arrays: ARRAYS, signal });
      const [run] = runs;
      const { trigger_ns = [], completion_ns = [] } = run?.arrays ?? {};
      const { follow } = followed;
      const trigger = follow === "message" ? followed.message - 1 : triggerOf(completion_ns, budget[follow].index);
      const latency_ns = (completion_ns[trigger] ?? NaN) - (trigger_ns[trigger] ?? NaN);
      if (!(latency_ns >= 0)) {
        this.shown = undefined;
        const count = trigger_ns.length;
        const what = trigger < count ? "was not delivered, so there is no strobe to follow it to" : `does not exist; the run has ${count}`;
        this.stage.replaceChildren(html("p", {}, `Packet ${trigger + 1} ${what}.`));
        return;
      }
      this.shown = { lanes: run ? lanesOf(run, trigger, budget.items) : [], latency_ns };
      this.draw();
    } catch (error) {
      if (isCancelled(error)) return;
      this.key = "";
      this.shown = undefined;
      this.stage.replaceChildren(html("p", { class: "lost" }, (error as Error).message));
    }
  }

  private draw(): void {
    if (!this.shown) return;
    const { lanes, latency_ns } = this.shown;
    if (lanes.length) drawBoards(this.stage, lanes, latency_ns, timeUnit([latency_ns]), Math.max(this.stage.clientWidth, 240));
    else this.stage.replaceChildren(html("p", { class: "quiet" }, "This link records no activity of its boards."));
  }
}
