// Details of a candidate: reasons, settings and their cost, results, command line, links to other views.

import * as format from "../amounts/format.ts";
import { copyButton } from "../copy.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { shellLine } from "../shell.ts";
import { addressOf, SIGNS, tunedOf, type Column, type Row } from "./matrix.ts";

/** Details of a candidate. */
export function detailOf({ candidate, cells }: Row, columns: readonly Column[]): HTMLElement {
  const { verdict, reason, seen, gives_up } = candidate;
  const list = html("dl");
  const entry = (term: string, ...what: (Node | string)[]) =>
    list.append(html("dt", {}, term), html("dd", {}, ...what));

  entry("Verdict", `${SIGNS[verdict].spoken}${reason ? `: ${reason}` : ""}`);
  cells.forEach((cell, at) => {
    if (cell) entry(columns[at]?.title ?? "", `${SIGNS[cell.verdict].symbol} ${cell.reason}`);
  });
  const tuned = tunedOf(candidate);
  const changed = tuned.map(([name, value]) => `${name}=${value}`).join(", ");
  const nearest = verdict === "passes" ? "Settings" : "Nearest settings found";
  if (candidate.criteria.length) entry(nearest, tuned.length ? changed : "as in the profile");
  if (gives_up.length) entry("Cost of these settings", gives_up.join("; "));
  if (candidate.floor_ns !== null) entry("Lower bound of the latency", format.duration(candidate.floor_ns));
  if (seen) results(seen, entry);

  const line = shellLine(candidate.command);
  const actions = html(
    "p",
    { class: "actions" },
    html("a", { href: addressOf("packet", candidate) }, "Follow one packet with these settings"),
    html("a", { href: addressOf("load", candidate) }, "Load with these settings"),
    copyButton("Copy the command line", () => line),
  );
  return html("div", { class: "candidate-detail" }, list, html("p", {}, html("code", {}, line)), actions);
}

function results(seen: answers.RecommendedRun, entry: (term: string, ...what: string[]) => void): void {
  const { n, lost, in_time } = seen;
  entry("Messages", `${format.count(n)} sent, every ${format.duration(seen.period_ns)}`);
  entry("In time", shareOf(in_time));
  entry("Lost", `${format.count(lost.count)}: ${shareOf(lost)}`);
  entry("Median latency", quantileOf(seen.p50_ns));
  entry("At the percentile", quantileOf(seen.quantile_ns));
  if (seen.largest) entry("Largest part", `${seen.largest.name}, ${format.duration(seen.largest.ns)}`);
  if (seen.fade_margin_db !== null) entry("Fade margin", format.withUnit(seen.fade_margin_db, "dB"));
}

function shareOf({ ratio, interval95: [low, high] }: answers.Proportion): string {
  return `${format.percent(ratio)} (95 % interval ${format.percent(low)} to ${format.percent(high)})`;
}

function quantileOf({ ns, interval95: [low, high] }: answers.QuantileOfAll): string {
  const of = (value: number | null) => (value === null ? "lost" : format.duration(value));
  return `${of(ns)} (95 % interval ${of(low)} to ${of(high)})`;
}
