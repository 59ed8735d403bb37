// Regulatory limits and battery life of a link at a message rate, with the sources of the limits.

import * as format from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";

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
      `. ${law.reason}.`),
    html("p", { class: "quiet" }, `Time on air: ${format.percent(law.airtime)} ${checked}.`),
    ...law.otherwise.map((reason) => html("p", { class: "quiet" }, `Other rules do not allow it either: ${reason}.`)),
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
  const rows = verdicts.flatMap(({ band_khz, kindest }) => kindest.checks.map((check) => checkRow(band_khz, kindest.rule, check)));
  const heads = ["band, MHz", "rule", "quantity", "value", "limit", "", "source"];
  return [
    html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Limits of ${name}` },
      html("table", { class: "checks" },
        html("caption", {}, html("b", {}, name)),
        html("thead", {}, html("tr", {}, ...heads.map((head) => (head ? html("th", { scope: "col" }, head) : html("td"))))),
        html("tbody", {}, ...rows))),
  ];
}

function checkRow([low, high]: readonly number[], rule: string, check: answers.Check): HTMLElement {
  const { symbol, kind } = signOf(check.standing);
  const mhz = (khz = 0) => format.compact(format.number(khz / 1e3, 6));
  const limit = check.limit === null ? check.bound : `${check.bound} ${format.compact(format.withUnit(check.limit, check.unit))}`;
  const remedy = [
    check.rarer === null ? "" : `allowed at 1/${format.number(check.rarer, 3)} of this rate`,
    check.quieter_db === null ? "" : `allowed with ${format.number(check.quieter_db, 3)} dB less power`,
  ].filter(Boolean);
  return html("tr", {},
    html("th", { scope: "row" }, low === high ? mhz(low) : `${mhz(low)}–${mhz(high)}`),
    html("td", { class: "words" }, rule),
    html("td", { class: "words" }, check.quantity),
    html("td", {}, format.withUnit(check.value, check.unit)),
    html("td", {}, limit),
    html("td", { class: `words ${kind}` }, html("span", { "aria-hidden": "true" }, `${symbol} `), standingOf(check.standing), ...remedy.map((one) => html("small", {}, one))),
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
  const entry = (term: string, what: string | HTMLElement) => list.append(html("dt", {}, term), html("dd", {}, what));
  const current = (na: number) => format.inUnits(na, format.CURRENTS);
  if (life) {
    entry("Battery life", html("b", {}, format.years(life.years)));
    entry("Battery", `${battery}: ${life.about}, ${format.compact(format.withUnit(life.capacity_mah, "mAh"))}`);
    if (life.overloaded_ma) {
      const [peak, most] = life.overloaded_ma;
      entry("Peak current", html("span", { class: "lost" },
        `peaks at ${format.withUnit(peak, "mA")}; the battery supplies ${format.compact(format.withUnit(most, "mA"))}`));
    }
  }
  if (average_na !== null) entry("Mean current", current(average_na));
  entry("Idle current", current(charge.idle_na));
  if (charge.marginal_nc !== null) entry("Charge per message", format.inUnits(charge.marginal_nc, format.CHARGES));
  if (!life?.overloaded_ma) entry("Peak current", current(charge.peak_na));
  for (const part of charge.parts) entry("Part", `${part.part}: ${part.about}`);
  return html("div", { class: "end" }, html("h4", {}, end), list);
}
