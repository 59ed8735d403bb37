// Drop a capture: its contents, the places of its findings, and the ranking of links.

import "./style.css";
import { count, duration } from "../amounts/format.ts";
import type { CaptureFile } from "../core/capture.ts";
import { isCancelled, Newest, type Edges, type Reply } from "../core/client.ts";
import type { answers } from "../core/questions.ts";
import { button, html } from "../elements.ts";
import { sentence } from "../explain/explanation.ts";
import { originOf } from "../explain/origin.ts";
import type { Host, Opened, View } from "../view.ts";
import { distribution, sampleOf, type Sample } from "./distribution.ts";
import { bytes, dropZone } from "./drop.ts";
import { explorer } from "./explorer.ts";
import { fileOf, levelsOf, madeOf, ORIGIN } from "./explain.ts";
import { exportPanel } from "./export.ts";
import { optionsForm } from "./options.ts";
import { placesOf, type Places } from "./places.ts";
import type { Picture } from "./plot.ts";
import { rankingPanel } from "./ranking.ts";
import { analyzeQuestion, FIELDS, looking, SCALES, visible, type State } from "./state.ts";
import { turn } from "./turns.ts";
import { findings, outcomes, quantiles } from "./summary.ts";
import { transfersOf, transfersOfTable, type Transfers } from "./transfers.ts";

export const capture: View<State> = { name: "capture", title: "Drop a capture", fields: FIELDS, open };

/** Largest number of edges that are loaded without a request, and memory per edge in the core and in the page. */
const MOST_EDGES = 4_000_000;
const BYTES_OF_EDGE = 40;

/** An analysis with the data for the charts. */
interface Analysis {
  readonly reply: Reply<answers.Run>;
  readonly transfers: Transfers;
}

function open(host: Host<State>): Opened<State> {
  const { root, core } = host;
  const newest = new Newest();
  const drop = dropZone(load, (line) => report([line]));
  const form = optionsForm(change);
  const chart = explorer((part) => {
    if (!state || !opened) return;
    const next = looking(state, part);
    if (next.from === state.from && next.to === state.to) return;
    state = next;
    host.record(next, false);
  });
  const ranking = rankingPanel(core, (sample) => {
    if (bench === sample) return;
    bench = sample;
    drawDistribution();
  });
  let state: State | undefined;
  let opened: CaptureFile | undefined;
  /** A worker that is ready for the first file. */
  let spare: CaptureFile | undefined = core.capture();
  let wires: answers.Wire[] | undefined;
  let duration_ns: number | undefined;
  let edges: readonly Edges[] = [];
  let analysis: Analysis | undefined;
  let asked = "";
  /** Number of drawings of the distribution. */
  let drawn = 0;
  let bench: Sample | undefined;

  const status = html("p", { role: "status", class: "status" });
  const title = html("h2", { class: "name" });
  const about = html("p", { class: "quiet" });
  const summary = html("div");
  const found = html("div");
  const spread = html("div", { class: "spread" });
  const saved = html("div");
  const levels = html("p", { role: "status", class: "levels" });
  const scale = html("select", { id: "capture-scale" }, ...SCALES.map((one) => html("option", { value: one }, one === "log" ? "logarithmic" : one)));
  scale.addEventListener("change", () => change({ scale: scale.value as State["scale"] }));

  const origin = originOf(ORIGIN, "How these numbers were obtained");
  const matching = html("section", { class: "panel" }, html("h2", {}, "Which link is it?"), ranking.element);
  const results = html("div", { class: "results", hidden: true },
    html("section", { class: "panel" }, html("h2", {}, "Delivery and latency"), summary, origin.element),
    html("section", { class: "panel" }, html("h2", {}, "Findings"), found),
    html("section", { class: "panel wide" },
      html("div", { class: "row" }, html("h2", {}, "Latency over time"), html("label", { for: "capture-scale" }, "Latency axis"), scale), chart.element, levels),
    html("section", { class: "panel" }, html("h2", {}, "Distribution of the latencies"), spread),
    matching,
    html("section", { class: "panel wide" }, html("h2", {}, "Export"), saved));
  const known = html("section", { class: "panel", hidden: true }, title, about,
    html("details", {}, html("summary", {}, "Channels and pairing"), form.element));
  root.append(html("h1", {}, "Drop a capture"), drop.element, status, known, results);

  // Draws in the next frame, because drawing within the observer could change the size that it observes.
  const resized = new ResizeObserver(() => requestAnimationFrame(drawDistribution));
  resized.observe(spread);

  function report(lines: readonly string[]): void {
    host.report(lines.filter(Boolean));
  }

  function change(part: Partial<State>): void {
    if (!state) return;
    const next = { ...state, ...part };
    report([]);
    host.record(next, true);
    show(next);
  }

  /** Opens a file. The previous file is discarded, with the memory of its worker. */
  function load(file: File, note: string): void {
    newest.cancel();
    // The visible part in an address applies to the first file that is opened with it.
    if (opened && state) host.record((state = looking(state, undefined)), false);
    opened?.close();
    opened = spare ?? core.capture();
    opened.open(file);
    spare = undefined;
    [wires, duration_ns, edges, analysis, asked, bench] = [undefined, undefined, [], undefined, "", undefined];
    report([note]);
    title.textContent = file.name;
    about.replaceChildren(...sentence("file", fileOf, bytes(file.size)));
    known.hidden = false;
    results.hidden = true;
    if (state) show(state);
  }

  function show(next: State): void {
    const rescaled = state !== undefined && state.scale !== next.scale;
    const moved = state !== undefined && (state.from !== next.from || state.to !== next.to);
    state = next;
    scale.value = next.scale;
    form.show(next, wires, analysis?.reply.answer.channels ?? null);
    if (!opened) return;
    const question = JSON.stringify(analyzeQuestion(next, opened.file.name));
    if (question !== asked) {
      asked = question;
      void analyze(next, opened);
    } else if (rescaled) {
      draw(true);
      drawDistribution();
    }
    if (moved && question === asked) chart.look(visible(next));
  }

  async function analyze(of: State, file: CaptureFile): Promise<void> {
    const signal = newest.begin();
    status.className = "status";
    status.textContent = `Reading ${file.file.name}…`;
    levels.replaceChildren();
    root.setAttribute("aria-busy", "true");
    try {
      const question = analyzeQuestion(of, file.file.name);
      const reply = await file.ask(question, { signal, arrays: ["trigger_ns", "completion_ns", "latency_ns"] });
      await turn();
      if (signal.aborted) return;
      const transfers = await arranged(reply);
      if (signal.aborted) return;
      analysis = { reply, transfers };
      await shown(of, file, signal);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      analysis = undefined;
      results.hidden = true;
      status.className = "lost status";
      status.textContent = lineOf(error);
      await channelsOf(file, signal);
    } finally {
      if (!signal.aborted) root.removeAttribute("aria-busy");
    }
  }

  /** Shows an analysis, in several turns: millions of transfers would otherwise block the page. */
  async function shown(of: State, file: CaptureFile, signal: AbortSignal): Promise<void> {
    if (!analysis) return;
    const { reply } = analysis;
    const { answer } = reply;
    status.textContent = "";
    results.hidden = false;
    summary.replaceChildren(outcomes(answer), quantiles(answer));
    origin.show(...madeOf(answer, of));
    saved.replaceChildren(exportPanel(() => reply.json, of, file.file.name));
    matching.hidden = answer.channels === null;
    form.show(of, wires, answer.channels);
    await turn();
    if (signal.aborted) return;
    draw(false);
    await turn();
    if (signal.aborted) return;
    ranking.reset(file, of);
    drawDistribution();
    await channelsOf(file, signal);
    if (signal.aborted || edges.length || !answer.channels) return;
    const number = (wires ?? []).reduce((sum, one) => sum + one.edges, 0);
    if (number <= MOST_EDGES) return edgesOf(of, file, signal);
    const load = button("Load the levels", () => {
      levels.replaceChildren("Loading the levels…");
      void edgesOf(of, file, signal);
    });
    levels.replaceChildren(...sentence("levels", levelsOf, `The levels of ${count(number)} edges take about ${bytes(number * BYTES_OF_EDGE)} of memory. `), load);
  }

  /** Loads the channels of a capture, once for each file. A table has none. */
  async function channelsOf(file: CaptureFile, signal: AbortSignal): Promise<void> {
    if (wires) return;
    try {
      const { answer } = await file.ask({ question: "channels", source: file.file.name }, { signal });
      wires = answer.channels;
      duration_ns = answer.duration_ns;
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      // A table of latencies has no channels; a file that cannot be read has its message already.
      wires = analysis && !analysis.reply.answer.channels ? [] : undefined;
    }
    if (signal.aborted || !state) return;
    about.replaceChildren(...sentence("file", fileOf,
      [bytes(file.file.size), wires?.length ? `${wires.length} channels` : "", duration_ns ? duration(duration_ns) : ""].filter(Boolean).join(", ")));
    form.show(state, wires, analysis?.reply.answer.channels ?? null);
  }

  /**
   * Loads the edges for the levels in the chart, after the numbers, because reading with edges takes time and memory.
   */
  async function edgesOf(of: State, file: CaptureFile, signal: AbortSignal): Promise<void> {
    try {
      const question = { ...analyzeQuestion(of, file.file.name), keep_edges: true, findings: false };
      const { runs } = await file.ask(question, { signal, edges: true });
      await turn();
      if (signal.aborted) return;
      edges = runs[0]?.channels ?? [];
      levels.replaceChildren();
      draw(true);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      levels.replaceChildren(`The levels of the channels are not shown: ${lineOf(error)}`);
    }
  }

  /** Draws the charts and the findings, whose places are in the chart. */
  function draw(keep: boolean): void {
    if (!analysis || !state) return;
    const { reply, transfers } = analysis;
    const { answer } = reply;
    const channels = chosen(answer.channels, state);
    const placed = answer.findings.map((one) => placesOf(one, transfers, channels));
    found.replaceChildren(findings(answer, placed, chart.focus));
    const marked = placed.flatMap((places, nth) => (isSomewhere(places) ? [{ number: nth + 1, places }] : []));
    const picture: Picture = { transfers, channels, findings: marked, scale: state.scale, rows: !answer.channels };
    chart.show(picture, keep, visible(state));
  }

  /** Trigger and completion as the pairing uses them. */
  function chosen(names: readonly [string, string] | null, { invert, trigger, completion }: State): Edges[] {
    if (!names || !edges.length) return [];
    const pair = names.map((name, nth) => {
      const given = nth ? completion : trigger;
      // An index is exact where names are not unique.
      const at = /^\d+$/.test(given) && edges[Number(given)]?.name === name ? Number(given) : edges.findIndex((one) => one.name === name);
      const one = edges[at];
      if (!one) return undefined;
      const isInverted = invert.includes(one.name) || invert.includes(String(at));
      return isInverted ? { ...one, name: `${one.name}, inverted`, level: one.level.map((level) => (level < 0 ? level : 1 - level)) } : one;
    });
    return pair.every((one) => one !== undefined) ? pair : [];
  }

  /** Draws the distribution, unless a newer call does. */
  function drawDistribution(): void {
    const width = Math.floor(spread.clientWidth);
    if (!analysis || !state || opened === undefined || width < 100) return;
    const { reply, transfers } = analysis;
    const drawing = ++drawn;
    void distribution(sampleOf(opened.file.name, transfers, reply.answer.latency_ns), bench, state.scale, width, () => drawing !== drawn)
      .then((chart) => chart && spread.replaceChildren(chart));
  }

  return {
    show,
    close() {
      newest.cancel();
      drawn++;
      ranking.close();
      opened?.close();
      spare?.close();
      drop.close();
      chart.close();
      resized.disconnect();
    },
  };
}

function arranged({ answer, runs }: Reply<answers.Run>): Promise<Transfers> {
  const { trigger_ns, completion_ns, latency_ns } = runs[0]?.arrays ?? {};
  const none = new Float64Array(0);
  return answer.channels ? transfersOf(trigger_ns ?? none, completion_ns ?? none) : transfersOfTable(latency_ns ?? none);
}

function isSomewhere({ instants_ns, spans_ns }: Places): boolean {
  return instants_ns.length + spans_ns.length > 0;
}

function lineOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
