// Follow one packet: the timeline of two packets, the latencies of all, and every parameter as a knob.

import "../charts/charts.css";
import "./packet.css";
import { timeUnit, type Unit } from "../amounts/format.ts";
import { html } from "../elements.ts";
import { aboutChart } from "../explain/explanation.ts";
import { originOf } from "../explain/origin.ts";
import { reproduction } from "../reproduce.ts";
import type { Host, Opened, View } from "../view.ts";
import { advicePanel } from "./advice.ts";
import { Runner, type Seen } from "./bench.ts";
import { Boards } from "./follow.ts";
import { chooser } from "./chooser.ts";
import { commandLine, comparedLine, embedded, pythonLine } from "./commands.ts";
import { comparison } from "./compare.ts";
import { differencePanel } from "./difference.ts";
import { chartOf, madeOf, ORIGIN } from "./explain.ts";
import { findings, floorTable, outcomes, publishedTable, slicesTable } from "./facts.ts";
import { knobs } from "./knobs.ts";
import { drawLatencies } from "./latency.ts";
import { folded, panel, select } from "./layout.ts";
import { Profiles } from "./profiles.ts";
import { benchOf, FIELDS, type Bench, type State } from "./state.ts";
import { drawTimeline, type Shown } from "./timeline.ts";
import { triggers } from "./triggers.ts";

export const packet: View<State> = { name: "packet", title: "Follow one packet", fields: FIELDS, open };

type Which = "a" | "b";

const COMPUTING = "The run is being computed …";

function open(host: Host<State>): Opened<State> {
  const { root, core } = host;
  const profiles = new Profiles(core);
  let state: State;
  let built = "";
  let drawing = 0;
  let listed = false;
  /** Time of the last turn of a knob that is not yet painted, ms. */
  let turned: number | undefined;
  const seen = new Map<Which, Seen>();
  const problems = new Map<Which, string>();

  const choice = chooser({
    link: (link) => change({ link, set: {} }, true),
    size: (size, done) => change({ size }, done),
  });
  const timing = triggers((part) => change(part, true));
  const compare = comparison({
    keep: () => change({ against: state.link, against_size: state.size, against_set: state.set }, true),
    exchange: () =>
      change({
        link: state.against, size: state.against_size, set: state.against_set,
        against: state.link, against_size: state.size, against_set: state.set,
      }, true),
    drop: () => change({ against: "", against_size: 12, against_set: {} }, true),
  });
  const knobPanel = knobs(
    (name, value, done) => {
      const { [name]: _, ...rest } = state.set;
      change({ set: value === undefined ? rest : { ...rest, [name]: value } }, done);
    },
    () => change({ set: {} }, true),
  );
  const advice = advicePanel(core, (settings) => change({ set: { ...state.set, ...settings } }, true), (aim) => change({ for: aim }, true));
  const copy = reproduction({
    command: () => commandLine(bench("a")),
    python: () => pythonLine(bench("a")),
    address: () => host.address(state),
    further: [
      ["Comparison on the command line", () => (state.against ? comparedLine(bench("a"), bench("b")) : "")],
      ["Address of the charts alone, for another page", () => embedded(host.address(state))],
    ],
  });
  const differences = differencePanel(core);
  const boards = new Boards(core, (part) => change(part, true));
  const scale = select("scale", "Latency axis", [["linear", "from the floor"], ["close", "latencies only"], ["log", "logarithmic"]], (word) => change({ scale: word }, true));

  const status = html("p", { class: "status quiet", role: "status" });
  const failure = html("p", { class: "failure", role: "alert", hidden: true });
  const timeline = html("div", { class: "timeline" });
  const latencies = html("div", { class: "latencies" });
  const numbers = html("div");
  const slices = html("div");
  const floor = html("div");
  const published = html("div");
  const found = html("div");
  const slicesFold = folded("Slices in numbers", slices);
  const floorFold = folded("The floor, and where it comes from", floor);
  const publishedFold = folded("Published results", published);
  const origin = originOf(ORIGIN, "How these numbers were obtained");
  for (const each of [slicesFold, floorFold, publishedFold, origin.element]) each.addEventListener("toggle", () => redraw());
  /** Benches on the charts, and the unit of their latencies. */
  let drawn: { all: readonly Shown[]; unit: Unit } = { all: [], unit: timeUnit([]) };
  const about = (key: string, what: string) => aboutChart(key, () => chartOf(what, drawn.all, drawn.unit));
  const charts = html("div", { class: "charts" },
    failure,
    panel("One packet, slice by slice", "packets", timeline,
      about("packets", "The packet with the median latency and the one with the p99 latency: its activities in time order, which add up to the latency. Dashed: the floor. The values are in the table of slices."),
      host.embed ? null : slicesFold, host.embed ? null : floorFold),
    panel("All messages", "messages", html("div", { class: "row" }, scale.element, status), latencies,
      about("latencies", "The latency of each message at the time of its trigger, and the distribution of these latencies, with p50, p95, p99 and their 95 % confidence intervals. The values are in the table of numbers.")),
    host.embed ? null : panel("Numbers", "numbers", numbers, differences.element, origin.element, html("p", { class: "quiet" }, "Quantiles are order statistics with linear interpolation between the closest ranks (type 7)."), publishedFold),
    host.embed ? null : panel("Findings", "found", found),
    host.embed ? null : boards.element,
  );
  const side = html("div", { class: "side" }, knobPanel.element);
  const head = html("div", { class: "head" },
    html("h1", {}, "Follow one packet"),
    html("div", { class: "panel" }, choice.element, timing.element, compare.element));
  root.append(...(host.embed ? [charts] : [head, side, charts, html("div", { class: "below" }, advice.element, copy.element)]));

  const runners: Record<Which, Runner> = { a: runner("a"), b: runner("b") };

  /** Fills the list of links, once, after the first answer. */
  function list(): void {
    if (listed) return;
    listed = true;
    profiles.all().then(
      (links) => {
        choice.fill(links);
        choice.show(state.link, state.size, profiles.named.get(state.link));
      },
      (error: Error) => {
        listed = false;
        problems.set("a", error.message);
        redraw();
      },
    );
  }

  function runner(which: Which): Runner {
    return new Runner(core, {
      seen(one) {
        seen.set(which, one);
        problems.delete(which);
        list();
        redraw();
        if (which === "a" && one.whole) {
          answered(one);
          core.spare();
          if (one.bench.set === state.set) knobPanel.show(one.answer.settings ?? {});
          boards.show(one, state);
        }
      },
      failed(of, message) {
        problems.set(which, message);
        list();
        // The present picture is of the previous link, and would be mistaken for that of the new link.
        if (seen.get(which)?.bench.link !== of.link) seen.delete(which);
        redraw();
      },
    });
  }

  function bench(which: Which): Bench {
    return benchOf(state, which, (link) => profiles.named.get(link)?.medium !== null);
  }

  /** Changes the state by an action of the user. */
  function change(part: Partial<State>, done: boolean): void {
    // Equal settings stay the same object, so that a slider between two whole numbers changes nothing.
    const set = part.set && JSON.stringify(part.set) === JSON.stringify(state.set) ? state.set : part.set;
    if ((set ?? state.set) !== state.set || (part.size ?? state.size) !== state.size) turned ??= performance.now();
    state = { ...state, ...part, ...(set && { set }) };
    if (done) host.record(state, true);
    update();
  }

  /** Follows a message of the charts. */
  function follow(index: number): void {
    change({ follow: "message", message: index + 1 }, true);
    boards.element.scrollIntoView({ block: "nearest" });
  }

  /** Shows the state in all controls, and runs the benches that differ. */
  function update(): void {
    choice.show(state.link, state.size, profiles.named.get(state.link));
    timing.show(state);
    compare.show(state);
    scale.show(state.scale);
    knobPanel.show(state.set);
    copy.show();
    const names = [state.link, ...(state.against ? [state.against] : [])];
    const asked = names.every((name) => profiles.named.has(name)) && ask();
    if (built !== names.join()) void build(names);
    // An answer causes a redraw. Drawing the old one until then would only delay it.
    if (!asked || !seen.size) redraw();
  }

  /** Runs the benches that differ from the last state. Returns whether any does. */
  function ask(): boolean {
    let any = false;
    for (const which of ["a", "b"] as const) {
      if (which === "b" && !state.against) {
        seen.delete("b");
        problems.delete("b");
        runners.b.close();
        continue;
      }
      const wanted = bench(which);
      if (JSON.stringify(asking.get(which)) === JSON.stringify(wanted)) continue;
      asking.set(which, wanted);
      runners[which].want(wanted);
      any = true;
    }
    if (!state.against) asking.delete("b");
    advice.show(bench("a"), state.for);
    const whole = seen.get("a");
    if (any) {
      boards.pause();
      status.textContent = COMPUTING;
    } else if (whole?.whole) {
      boards.show(whole, state);
    }
    return any;
  }

  /** Requests the profiles, which state whether a link has messages, and builds the knobs of the first one. */
  async function build(names: readonly string[]): Promise<void> {
    const wanted = (built = names.join());
    try {
      const [profile] = await Promise.all(names.map((name) => profiles.of(name)));
      if (built !== wanted || !profile) return;
      problems.clear();
      knobPanel.build(profile.link, profile.settable, profile.real);
      update();
    } catch (error) {
      if (built !== wanted) return;
      built = "";
      seen.clear();
      asking.clear();
      problems.set("a", (error as Error).message);
      list();
      redraw();
    }
  }

  function redraw(): void {
    if (drawing) return;
    drawing = requestAnimationFrame(() => {
      drawing = 0;
      const begun = performance.now();
      draw();
      performance.measure("airlag: draw", { start: begun });
    });
  }

  function draw(): void {
    const all = (["a", "b"] as const).flatMap((which): Shown[] => {
      const one = seen.get(which);
      return one ? [{ which, seen: one, name: nameOf(one.bench, seen.get("a")?.bench, seen.get("b")?.bench) }] : [];
    });
    const lines = [...problems.values()];
    failure.hidden = !lines.length;
    failure.textContent = lines.join(" ");
    charts.classList.toggle("stale", problems.has("a"));
    const arrived = all.filter(({ seen: { answer } }) => answer.latency_ns);
    const unit = timeUnit(arrived.map(({ seen: { answer } }) => answer.latency_ns?.p50 ?? 0));
    drawn = { all, unit };
    // Both widths are read before anything is written, because a later read would lay out the page once more.
    const [timelineWidth = 0, latencyWidth = 0] = [timeline, latencies].map((one) => Math.max(one.clientWidth, 240));
    if (arrived.length) drawTimeline(timeline, arrived, unit, timelineWidth);
    else timeline.replaceChildren(html("p", {}, all.length ? "No message was delivered, so there is no packet to follow." : "The first run is computed …"));
    if (all.length) drawLatencies(latencies, all, unit, state.scale, latencyWidth, follow);
    else latencies.replaceChildren();
    // Until the first answer, the picture shows the previous settings.
    const pending = (["a", "b"] as const).some((which) => asking.get(which) !== seen.get(which)?.bench) && !problems.size;
    status.textContent = pending ? COMPUTING : all.map(({ which, seen: one }) => `${all.length > 1 ? `${which.toUpperCase()}: ` : ""}${one.whole ? "all" : "first"} ${one.answer.triggers} messages${one.whole ? "" : `; ${one.bench.count} are being computed`}`).join("; ");
    numbers.replaceChildren(outcomes(all, unit));
    if (!host.embed) differences.show(pending ? [] : all);
    found.replaceChildren(findings(all));
    // The text of the origin is computed once the part is open, and does not delay a moving slider.
    if (origin.element.open) origin.show(...all.flatMap((one) => madeOf(one, profiles.known.get(one.seen.bench.link))));
    // Tables that are folded are filled when they are opened, so that a moving slider does not wait for them.
    if (slicesFold.open) slices.replaceChildren(...arrived.flatMap((one) => slicesTable(one, unit) ?? []));
    const known = publishedTable(profiles.known.get(state.link));
    publishedFold.hidden = !known;
    if (known && publishedFold.open) published.replaceChildren(known);
    if (floorFold.open) floor.replaceChildren(...all.map(floorTable));
    painted();
  }

  /** Reports the time from the turn of a knob to the picture, for the measurement of the page. */
  function painted(): void {
    const begun = turned;
    if (begun === undefined) return;
    const failed = problems.has("a");
    if (!failed && (seen.get("a")?.bench.set !== state.set || seen.get("a")?.bench.size !== bench("a").size)) return;
    turned = undefined;
    if (failed) return;
    // The next task after a frame: the picture is with the compositor.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => performance.measure("airlag: redraw", { start: begun, end: performance.now() });
    channel.port2.postMessage(null);
  }

  const asking = new Map<Which, Bench>();
  // The height follows from the content, so only another width needs another picture.
  let width = 0;
  const sized = new ResizeObserver(([entry]) => {
    const now = Math.round(entry?.contentRect.width ?? 0);
    if (now !== width) redraw();
    width = now;
  });
  sized.observe(charts);

  return {
    show(next) {
      state = next;
      update();
    },
    close() {
      cancelAnimationFrame(drawing);
      sized.disconnect();
      runners.a.close();
      runners.b.close();
      advice.close();
      differences.close();
      boards.close();
    },
  };
}

/** Stores the figures of a run for tests and measurements of the page. */
function answered({ answer }: Seen): void {
  const { triggers, delivered, lost, censored, latency_ns, findings } = answer;
  performance.clearMarks("airlag: answer");
  performance.mark("airlag: answer", { detail: JSON.stringify({ triggers, delivered, lost, censored, latency_ns, findings: findings.map((one) => one.message) }) });
}

/** Name of a bench beside another: the link, and other differences. */
function nameOf(bench: Bench, ...all: (Bench | undefined)[]): string {
  const others = all.filter((one): one is Bench => one !== undefined && one !== bench);
  const sizes = others.some((one) => one.size !== bench.size);
  const settings = Object.entries(bench.set).map(([name, value]) => `${name}=${value}`);
  const words = [bench.link, ...(sizes && bench.size !== null ? [`${bench.size} B`] : []), ...(others.length ? settings : [])];
  return words.join(" ");
}
