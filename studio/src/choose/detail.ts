// Details of a candidate: reasons, settings and their cost, results, command line, links to other views.

import * as format from "../amounts/format.ts";
import { copyButton } from "../copy.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { figure, sentence } from "../explain/explanation.ts";
import { criterionOf, detailOf as why, type Detail } from "./explain.ts";
import { shellLine } from "../shell.ts";
import { addressOf, criterion, SIGNS, tunedOf, type Column, type Row } from "./matrix.ts";

/** Details of a candidate. */
export function detailOf({ candidate, cells }: Row, columns: readonly Column[], task: answers.Task): HTMLElement {
  const { verdict, reason, seen, gives_up } = candidate;
  const list = html("dl");
  const entry = (term: string, ...what: (Node | string)[]) =>
    list.append(html("dt", {}, term), html("dd", {}, ...what));

  const key = (name: string) => `detail ${candidate.link} ${name}`;
  const number = (detail: Detail, text: string) => figure(key(detail), () => why(detail, candidate, task), text);
  entry("Verdict", SIGNS[verdict].spoken, ...(reason ? [": ", ...sentence(key("reason"), () => why("reason", candidate, task), reason)] : []));
  cells.forEach((cell, at) => {
    const column = columns[at];
    if (!cell || !column) return;
    const of = () => criterionOf(criterion(candidate, column.name), column.title, candidate, task);
    entry(column.title, `${SIGNS[cell.verdict].symbol} `, ...sentence(key(column.name), of, cell.reason));
  });
  const tuned = tunedOf(candidate);
  const changed = tuned.map(([name, value]) => `${name}=${value}`).join(", ");
  const nearest = verdict === "passes" ? "Settings" : "Nearest settings found";
  if (candidate.criteria.length) entry(nearest, tuned.length ? changed : "as in the profile");
  if (gives_up.length) entry("Cost of these settings", ...sentence(key("cost"), () => why("gives_up", candidate, task), gives_up.join("; ")));
  if (candidate.floor_ns !== null) entry("Lower bound of the latency", number("floor", format.duration(candidate.floor_ns)));
  if (seen) results(seen, entry, number);

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

function results(seen: answers.RecommendedRun, entry: (term: string, ...what: (Node | string)[]) => void, number: (detail: Detail, text: string) => Node | string): void {
  const { n, lost, in_time } = seen;
  entry("Messages", number("sent", `${format.count(n)} sent, every ${format.duration(seen.period_ns)}`));
  entry("In time", number("in_time", shareOf(in_time)));
  entry("Lost", number("lost", `${format.count(lost.count)}: ${shareOf(lost)}`));
  entry("Median latency", number("p50_ns", quantileOf(seen.p50_ns)));
  entry("At the percentile", number("quantile_ns", quantileOf(seen.quantile_ns)));
  if (seen.largest) entry("Largest slice", `${seen.largest.name}, `, number("largest", format.duration(seen.largest.ns)));
  if (seen.fade_margin_db !== null) entry("Fade margin", number("fade_margin_db", format.withUnit(seen.fade_margin_db, "dB")));
}

function shareOf({ ratio, interval95: [low, high] }: answers.Proportion): string {
  return `${format.percent(ratio)} (95 % interval ${format.percent(low)} to ${format.percent(high)})`;
}

function quantileOf({ ns, interval95: [low, high] }: answers.QuantileOfAll): string {
  const of = (value: number | null) => (value === null ? "lost" : format.duration(value));
  return `${of(ns)} (95 % interval ${of(low)} to ${of(high)})`;
}
