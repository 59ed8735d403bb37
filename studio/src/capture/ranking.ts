// Ranking of all link profiles for a capture, its verdict, and the bench of the first candidate over the capture.

import { count, number, timeUnit } from "../amounts/format.ts";
import { whole } from "../amounts/parse.ts";
import { copyButton } from "../copy.ts";
import type { CaptureFile } from "../core/capture.ts";
import { isCancelled, Newest, type Core } from "../core/client.ts";
import type { answers, Ranked } from "../core/questions.ts";
import { button, html } from "../elements.ts";
import { figure, sentence } from "../explain/explanation.ts";
import { originOf } from "../explain/origin.ts";
import { candidateOf, RANK_ORIGIN, rankMadeOf } from "./explain.ts";
import { sampleOf, type Sample } from "./distribution.ts";
import { analyzeQuestion, matchLine, namedSize, pairing, type State } from "./state.ts";
import { transfersOf } from "./transfers.ts";

export interface RankingPanel {
  readonly element: HTMLElement;
  /** Removes the last ranking, because the capture or its pairing has changed. */
  reset(capture: CaptureFile, state: State): void;
  close(): void;
}

/** Candidates in the table, as on the command line. */
const SHOWN = 5;
const LARGEST_PAYLOAD = 65_535;

/** `overlay` receives the latencies of the bench of the nearest link; undefined removes them. */
export function rankingPanel(core: Core, overlay: (bench: Sample | undefined) => void): RankingPanel {
  const newest = new Newest();
  let subject: { capture: CaptureFile; state: State } | undefined;
  const size = html("input", { id: "capture-size", type: "text", inputmode: "numeric", placeholder: "unknown", autocomplete: "off", "aria-describedby": "capture-size-about" });
  const start = button("Find the link", () => void rank());
  const cancel = button("Cancel", () => stopped("Cancelled."), { hidden: true });
  const progress = html("progress", { max: 100, value: 0, hidden: true, "aria-label": "Ranking of the links" });
  const status = html("p", { role: "status" });
  const result = html("div");
  const element = html("div", {},
    html("p", { class: "quiet" }, "Each link of the virtual bench replays the trigger times of this capture. The ranking compares latencies, losses and clocks."),
    html("div", { class: "row" }, html("label", { for: "capture-size" }, "Payload, bytes"), size, start, cancel, progress),
    html("p", { class: "quiet", id: "capture-size-about" }, "Empty: the payload that gives the observed latency on each link."),
    status, result);

  function stopped(words: string): void {
    newest.cancel();
    busy(false);
    status.textContent = words;
    status.className = "";
  }

  function busy(is: boolean): void {
    start.disabled = is;
    cancel.hidden = !is;
    progress.hidden = !is;
    if (is) progress.value = 0;
  }

  async function rank(): Promise<void> {
    if (!subject) return;
    const { capture, state } = subject;
    const payload = size.value.trim();
    const read = payload ? whole(payload, 1, LARGEST_PAYLOAD) : { ok: true as const, value: null };
    size.toggleAttribute("aria-invalid", !read.ok);
    if (!read.ok) return failed(read.error);
    const signal = newest.begin();
    result.replaceChildren();
    overlay(undefined);
    busy(true);
    status.className = "";
    status.textContent = "Comparing with all links…";
    try {
      const { answer: all } = await core.ask({ question: "links" }, { signal });
      // The ranking uses the transfers that were paired last.
      await capture.ask({ ...analyzeQuestion(state, capture.file.name), findings: false }, { signal, lengthy: true });
      const show = (done: number, of: number): void => {
        progress.max = of;
        progress.value = done;
      };
      const { answer } = await capture.ask(
        { question: "rank", links: all.map((one) => one.name), size: read.value, ...pairing(state) },
        { signal, lengthy: true, progress: show },
      );
      if (signal.aborted) return;
      status.textContent = "";
      result.replaceChildren(verdict(answer), command(state, capture, read.value));
      await drawBench(answer.ranking[0], state, capture, signal);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      failed(error instanceof Error ? error.message : String(error));
    } finally {
      if (!signal.aborted) busy(false);
    }
  }

  /** The bench of the nearest candidate, under the triggers of the capture. */
  async function drawBench(best: answers.MatchCandidate | undefined, state: State, capture: CaptureFile, signal: AbortSignal): Promise<void> {
    if (!best) return;
    const { link, settings } = best;
    const { runs } = await capture.ask(
      {
        question: "match", link, size: best.size, ...pairing(state),
        settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
      },
      { signal, lengthy: true, arrays: ["trigger_ns", "completion_ns"] },
    );
    const { trigger_ns, completion_ns } = runs[0]?.arrays ?? {};
    if (signal.aborted || !trigger_ns || !completion_ns) return;
    const transfers = await transfersOf(trigger_ns, completion_ns);
    if (!signal.aborted) overlay(sampleOf(`${nameOf(best)} on the virtual bench`, transfers, null));
  }

  function failed(line: string): void {
    status.textContent = line;
    status.className = "lost";
  }

  return {
    element,
    reset(capture, state) {
      if (subject?.capture !== capture) size.value = String(namedSize(capture.file.name) ?? "");
      subject = { capture, state };
      stopped("");
      result.replaceChildren();
      overlay(undefined);
    },
    close: () => newest.cancel(),
  };
}

function command(state: State, { file }: CaptureFile, size: number | null): HTMLElement {
  const line = html("code", {}, matchLine(state, file.name, size));
  return html("p", { class: "actions" }, line, copyButton("Copy the command line", () => line.textContent ?? ""));
}

function nameOf({ link, size, settings }: answers.MatchCandidate): string {
  const changed = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [link, ...(size === null ? [] : [`${size} B`]), ...changed].join(", ");
}

/** The ranking in words, and the table of its first candidates. */
export function verdict(answer: Ranked): HTMLElement {
  const { ranking, reason, certainty, certainty_text, next, tried, impossible, unlike } = answer;
  const [best] = ranking;
  const parts: (HTMLElement | null)[] = [];
  if (reason !== null) parts.push(html("p", { class: "verdict lost" }, ...(best ? sentence("rank reason", () => candidateOf(best, "words"), reason) : [reason])));
  if (best && certainty !== null) {
    const [least, most] = best.size_interval ?? [0, 0];
    const sizes = least < most ? ` (${least} to ${most} B fit about as well)` : "";
    const words = (key: string, text: string) => sentence(`rank ${key}`, () => candidateOf(best, "words"), text);
    const other = ranking.find((one) => one.link === next);
    parts.push(
      html("p", { class: "verdict" }, html("b", {}, ...words("name", nameOf(best))), ...words("certainty", `${sizes}: ${certainty}; ${certainty_text}.`),
        ...(other ? sentence("rank next", () => candidateOf(other, "words"), ` Next is ${other.link}: ${other.contradiction}.`) : [])),
      html("p", {}, ...words("verdict", `${best.verdict}. ${best.agreement}.`)),
      html("p", { class: "quiet" }, ...words("fitting", `${[best.fitting, ...tried.map((one) => one.text)].join("; ")}.`)),
    );
  }
  if (ranking.length) parts.push(candidates(ranking.slice(0, SHOWN)));
  const more = ranking.length - SHOWN;
  const rest = [
    ...(more > 0 ? [`${count(more)} more have a larger misfit`] : []),
    ...(impossible ? [`${count(impossible)} cannot produce this latency`] : []),
    ...(unlike ? [`${count(unlike)} have a different spread, whatever is fitted`] : []),
  ];
  parts.push(rest.length ? html("p", { class: "quiet" }, `${rest.join(" · ")}.`) : null);
  const origin = originOf(RANK_ORIGIN, "How links are ranked");
  origin.show(...rankMadeOf(answer));
  parts.push(origin.element);
  return html("div", {}, ...parts);
}

function candidates(all: readonly answers.MatchCandidate[]): HTMLElement {
  const unit = timeUnit(all.slice(0, 1).map((one) => one.quantile_error.p50.captured_ns));
  const head = ["link", "misfit", `p50 of the bench, ${unit.name}`, `p50 of the capture, ${unit.name}`, "why"];
  const rows = all.map((one, nth) => {
    const shown = (column: Parameters<typeof candidateOf>[1], text: string) => figure(`rank ${nth} ${column}`, () => candidateOf(one, column), text);
    const { captured_ns, virtual_ns } = one.quantile_error.p50;
    return html("tr", {}, html("th", { scope: "row" }, ...sentence(`rank ${nth} name`, () => candidateOf(one, "words"), nameOf(one))), html("td", {}, one.score === null ? "–" : shown("score", one.score.toFixed(3))),
      html("td", {}, shown("virtual", number(virtual_ns / unit.size, 5))), html("td", {}, shown("captured", number(captured_ns / unit.size, 5))),
      html("td", { class: "words" }, ...sentence(`rank ${nth} why`, () => candidateOf(one, "words"), one.explains ? "explains the capture" : one.contradiction)));
  });
  return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Nearest links" }, html("table", {},
    html("caption", {}, "Nearest links. A misfit near 0 is a good match."),
    html("thead", {}, html("tr", {}, ...head.map((one) => html("th", { scope: "col", class: one === "why" ? "words" : null }, one)))), html("tbody", {}, ...rows)));
}
