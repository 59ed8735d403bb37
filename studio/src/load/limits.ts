// Regulatory limits and battery life of a link at a message rate, with the sources of the limits.

import * as format from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { explained, figure, sentence } from "../explain/explanation.ts";
import * as explain from "./explain.ts";

/** Regulatory limits. */
export function regulation(law: answers.Law | null | undefined, checked: string): HTMLElement {
  const section = html("section", { class: "regulation", "aria-label": "Regulatory limits" }, html("h3", {}, "Regulatory limits"));
  if (!law) {
    section.append(html("p", { class: "quiet" }, "No radio of this link transmits, so no limits apply."));
    return section;
  }
  const { symbol, kind } = signOf(law.standing);
  section.append(
    html("p", {}, html("b", { class: kind }, html("span", { "aria-hidden": "true" }, `${symbol} `), `${law.region.toUpperCase()}: ${standingOf(law.standing)}`),
      ...sentence("law reason", () => explain.lawOf(law), `. ${law.reason}.`)),
    html("p", { class: "quiet" }, "Time on air: ", explained("airtime", () => explain.airtimeOf(law, checked), format.percent(law.airtime)), ` ${checked}.`),
    ...law.otherwise.map((reason, nth) => html("p", { class: "quiet" }, ...sentence(`law otherwise ${nth}`, () => explain.lawOf(law), `Other rules do not allow it either: ${reason}.`))),
    ...law.radios.flatMap(radio),
    html("p", { class: "quiet" }, "Engineering information, not legal advice."),
  );
  return section;
}

function signOf(standing: answers.Standing): { symbol: string; kind: string } {
  switch (standing) {
    case "within":
      return { symbol: "✓", kind: "within" };
    case "at the limit":
      return { symbol: "≈", kind: "at-limit" };
    case "not allowed":
      return { symbol: "✗", kind: "not-allowed" };
  }
}

function standingOf(standing: answers.Standing): string {
  return standing === "within" ? "within the limits" : standing;
}

function radio({ name, verdicts }: answers.Radio): HTMLElement[] {
  const rows = verdicts.flatMap(({ band_khz, kindest }) => kindest.checks.map((check) => checkRow(name, band_khz, kindest.rule, check)));
  const heads = ["band, MHz", "rule", "quantity", "value", "limit", "", "source"];
  return [
    html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Limits of ${name}` },
      html("table", { class: "checks" },
        html("caption", {}, html("b", {}, name)),
        html("thead", {}, html("tr", {}, ...heads.map((head) => (head ? html("th", { scope: "col" }, head) : html("td"))))),
        html("tbody", {}, ...rows))),
  ];
}

function checkRow(radio: string, [low, high]: readonly number[], rule: string, check: answers.Check): HTMLElement {
  const { symbol, kind } = signOf(check.standing);
  const mhz = (khz = 0) => format.compact(format.number(khz / 1e3, 6));
  const limit = check.limit === null ? check.bound : `${check.bound} ${format.compact(format.withUnit(check.limit, check.unit))}`;
  const remedy = [
    check.rarer === null ? "" : `allowed at 1/${format.number(check.rarer, 3)} of this rate`,
    check.quieter_db === null ? "" : `allowed with ${format.number(check.quieter_db, 3)} dB less power`,
  ].filter(Boolean);
  const band = low === high ? mhz(low) : `${mhz(low)}–${mhz(high)}`;
  const shown = (column: string, text: string) =>
    figure(`${radio} ${band} ${rule} ${check.quantity} ${column}`, () => explain.checkOf(check, rule, `${band} MHz`), text);
  return html("tr", {},
    html("th", { scope: "row" }, shown("band", band)),
    html("td", { class: "words" }, shown("rule", rule)),
    html("td", { class: "words" }, check.quantity),
    html("td", {}, shown("value", format.withUnit(check.value, check.unit))),
    html("td", {}, shown("limit", limit)),
    html("td", { class: `words ${kind}` }, html("span", { "aria-hidden": "true" }, `${symbol} `), standingOf(check.standing), ...remedy.map((one) => html("small", {}, shown(one, one)))),
    html("td", { class: "words source" }, check.clause, check.confirmed ? null : html("small", {}, "not confirmed in the document itself")),
  );
}

/** Battery life and currents of both ends. */
export function batteryLife(run: answers.VirtualRun): HTMLElement {
  const { fed, charge } = run;
  const section = html("section", { class: "battery", "aria-label": "Battery life" }, html("h3", {}, "Battery life"));
  const ends = fed && charge ? (["sender", "receiver"] as const).filter((end) => fed[end] && charge[end]) : [];
  if (!fed || !charge || !ends.length) {
    section.append(html("p", { class: "quiet" }, "No current data for the parts of this link."));
    return section;
  }
  for (const end of ends) {
    const fedEnd = fed[end] as answers.FedEnd;
    section.append(endOf(end, fed.battery, fedEnd, charge[end] as answers.EndCharge));
  }
  section.append(html("p", { class: "quiet" }, "Includes idle current and self-discharge. Boards are those of the measurements; most of them do not sleep."));
  return section;
}

function endOf(end: string, battery: string | null, { average_na, life }: answers.FedEnd, charge: answers.EndCharge): HTMLElement {
  const list = html("dl");
  const entry = (term: string, ...what: (string | Node)[]) => list.append(html("dt", {}, term), html("dd", {}, ...what));
  const shown = (quantity: explain.Energy, text: string) => figure(`${end} ${quantity}`, () => explain.energyOf(quantity, end, charge, life), text);
  const words = (quantity: explain.Energy, key: string, text: string) => sentence(`${end} ${key}`, () => explain.energyOf(quantity, end, charge, life), text);
  const current = (na: number) => format.inUnits(na, format.CURRENTS);
  if (life) {
    entry("Battery life", html("b", {}, shown("years", format.years(life.years))));
    entry("Battery", ...words("about", "battery", `${battery}: ${life.about}`), ", ",
      shown("capacity", format.compact(format.withUnit(life.capacity_mah, "mAh"))));
    if (life.overloaded_ma) {
      const [peak, most] = life.overloaded_ma;
      entry("Peak current", html("span", { class: "lost" },
        ...words("overloaded", "overloaded", `peaks at ${format.withUnit(peak, "mA")}; the battery supplies ${format.compact(format.withUnit(most, "mA"))}`)));
    }
  }
  if (average_na !== null) entry("Mean current", shown("average", current(average_na)));
  entry("Idle current", shown("idle", current(charge.idle_na)));
  if (charge.marginal_nc !== null) entry("Charge per message", shown("marginal", format.inUnits(charge.marginal_nc, format.CHARGES)));
  if (!life?.overloaded_ma) entry("Peak current", shown("peak", current(charge.peak_na)));
  for (const part of charge.parts) entry("Part", ...words("part", `part ${part.name}`, `${part.part}: ${part.about}`));
  return html("div", { class: "end" }, html("h4", {}, end), list);
}
