// Explanations of the numbers of a load: its points, ceilings, regulatory limits and battery life.

import * as format from "../amounts/format.ts";
import type { answers } from "../core/questions.ts";
import type { Explanation } from "../explain/explanation.ts";
import * as of from "../generated/descriptions.ts";
import * as terms from "../generated/glossary.ts";
import type { State } from "./state.ts";

/** Ids of the parts that state how the loads, and how the limits and the battery life, were obtained. */
export const ORIGIN = "origin-load";
export const LIMITS_ORIGIN = "origin-limits";

const LINEAR = "Quantile: linear interpolation between the closest ranks (type 7), of the delivered messages.";

function simulated({ link, seed, arrivals, queue, points }: answers.Load, nth?: number): string {
  const offered = nth === undefined ? undefined : points[nth]?.offered;
  const messages = offered === undefined ? `${format.count(points.length)} loads` : `${format.count(offered)} messages`;
  return `Simulated: ${messages} on ${link}, ${arrivals} arrivals, a queue of ${format.count(queue)}, random seed ${seed}.`;
}

const COLUMNS = {
  offered: { name: "offered load", what: of.LoadPoint_offered_kbps, unit: "kbit/s", field: "points[].offered_kbps", term: terms.offered_load, how: "Set: the load of this run." },
  goodput: { name: "goodput", what: of.LoadPoint_goodput_kbps, unit: "kbit/s", field: "points[].goodput_kbps", term: terms.goodput, how: "Computed: delivered user data over the time of the measurement." },
  queue: { name: "queue", what: of.LoadPoint_queue_mean, unit: "messages", field: "points[].queue_mean", how: "Computed: the length of the queue, averaged over time." },
  p50: { name: "p50 of the latency", what: of.LoadPoint_latency_ns, unit: "", field: "points[].latency_ns.p50, ns", term: terms.p50_p95_p99, how: LINEAR },
  p99: { name: "p99 of the latency", what: of.LoadPoint_latency_ns, unit: "", field: "points[].latency_ns.p99, ns", term: terms.p50_p95_p99, how: LINEAR },
  refused: { name: "dropped, queue full", what: of.LoadPoint_refused, unit: "% of the offered messages", field: "points[].refused", term: terms.overload, how: "Computed by the page: refused over offered messages." },
  lost: { name: "lost on the link", what: `${of.LoadPoint_lost} Without those that were dropped at a full queue.`, unit: "% of the offered messages", field: "points[].lost", term: terms.lost, how: "Computed by the page: lost less refused, over offered messages." },
} as const;

export type Column = keyof typeof COLUMNS;

export function pointOf(load: answers.Load, nth: number, column: Column, unit: string): Explanation {
  const { how, ...rest } = COLUMNS[column];
  return {
    ...rest,
    unit: rest.unit || unit,
    how: [simulated(load, nth), how],
    sources: ["The constants of the link: each with its source in the view of one packet."],
    origin: ORIGIN,
  };
}

/** Saturated goodput, ceiling and largest load of a link, in one line. */
export function linkOf(load: answers.Load): Explanation {
  return {
    name: `capacity of ${load.link}`,
    what: `Saturated goodput: ${of.Load_goodput_kbps} Ceiling: ${of.Load_ceiling_kbps} Carries up to: ${of.Load_knee_kbps}`,
    unit: "kbit/s",
    how: [simulated(load), `Saturated goodput: simulated for ${format.duration(load.elapsed_ns)}, ${format.count(load.delivered)} messages delivered.`, "Ceiling: computed from its terms, which are listed with the goodput explained."],
    field: "goodput_kbps, ceiling_kbps, knee_kbps",
    term: terms.saturated_goodput,
    origin: ORIGIN,
  };
}

export function chartOf(all: readonly answers.Load[]): Explanation {
  return {
    name: "these charts",
    what: "Latency, goodput and loss of each link against the offered load. The values are in the tables below the charts.",
    how: all.map((one) => simulated(one)),
    origin: ORIGIN,
  };
}

export function goodputOf({ link, elapsed_ns, seed }: answers.Goodput): Explanation {
  return {
    name: `saturated goodput of ${link}`,
    what: of.Goodput_goodput_kbps,
    unit: "kbit/s",
    how: [`Simulated for ${format.duration(elapsed_ns)} with a message always waiting, random seed ${seed}.`, "Share of the ceiling: computed by the page."],
    field: "goodput_kbps",
    term: terms.saturated_goodput,
    origin: ORIGIN,
  };
}

export function ceilingOf({ link, ceiling }: answers.Goodput): Explanation {
  const sorted = [...ceiling.terms].sort((a, b) => b.count * b.each_ns - a.count * a.each_ns);
  return {
    name: `ceiling of ${link}`,
    what: `${of.Goodput_ceiling_kbps} ${of.Ceiling}`,
    how: [`Computed: ${ceiling.terms.map(({ name, count, each_ns }) => `${name} ${format.count(count)} × ${format.duration(each_ns)}`).join(" + ")}.`],
    sources: sorted.slice(0, 2).map(({ name, source }) => `${name}: ${source}`),
    field: "ceiling.ns, ns",
    origin: ORIGIN,
  };
}

export function termOf({ name, count, each_ns, source }: answers.Term): Explanation {
  return {
    name, what: of.Ceiling_terms, how: [`Computed: ${format.count(count)} × ${format.duration(each_ns)}, from the formulas of the link.`],
    sources: [source], field: "ceiling.terms[], ns", origin: ORIGIN,
  };
}

export function spentOf(answer: answers.Goodput, name: string): Explanation {
  const { link, elapsed_ns, seed } = answer;
  return {
    name: `${name}, per message`,
    what: `${of.Part_ns} ${of.Goodput_spent}`,
    how: [`Simulated: ${link} for ${format.duration(elapsed_ns)}, random seed ${seed}.`, "Computed by the page: the time of all messages over their number, and its share of the sum."],
    sources: answer.ceiling.terms.filter((one) => one.name === name || one.name.startsWith(`${name},`)).map((one) => `${one.name}: ${one.source}`),
    field: "spent[].ns, ns",
    term: terms.slice,
    origin: ORIGIN,
  };
}

/** The load at the message rate of the form. */
export function rateOf({ of: link, size, rate }: State): Explanation {
  return {
    name: "load at this rate",
    what: "User data per second at the message rate in the form. For an overloaded link, also the offered and carried rates.",
    unit: "kbit/s; messages per s",
    how: [`Computed by the page: ${size} B × 8 bit × ${rate}${link ? ` on ${link}` : ""}.`, of.Overload_offered_per_s, of.Overload_carried_per_s],
    field: "causes.overload",
    term: terms.overload,
    origin: LIMITS_ORIGIN,
  };
}

export function airtimeOf(law: answers.Law, checked: string): Explanation {
  return {
    name: "time on air", what: of.Law_airtime, unit: "% of all time", how: [`Simulated: the transmissions of the run, ${checked}.`],
    field: "law.airtime", term: terms.duty_cycle, sources: [law.reason], origin: LIMITS_ORIGIN,
  };
}

export function lawOf(law: answers.Law): Explanation {
  return { name: `regulatory limits, ${law.region.toUpperCase()}`, what: `${of.Law_reason} ${of.Law}`, sources: [law.reason], field: "law.reason", origin: LIMITS_ORIGIN };
}

export function checkOf(check: answers.Check, rule: string, band: string): Explanation {
  const { quantity, bound, limit, unit, clause, confirmed, rarer, quieter_db } = check;
  return {
    name: `${quantity}: ${rule}`,
    what: `${of.Check} ${of.Check_value}`,
    unit: unit || "none",
    how: [
      `Band ${band}. Limit: ${limit === null ? bound : `${bound} ${format.withUnit(limit, unit)}`}.`,
      "Simulated: the transmissions of the run, each with its time, power and spectrum.",
      ...(rarer === null ? [] : [of.Check_rarer]), ...(quieter_db === null ? [] : [of.Check_quieter_db]),
    ],
    sources: [`${clause}${confirmed ? "" : " (not confirmed in the document itself)"}`],
    field: "law.radios[].verdicts[].kindest.checks[]",
    origin: LIMITS_ORIGIN,
  };
}

const ENERGY = {
  years: { name: "battery life", what: of.Life_years, unit: "years, days or hours", how: "Computed: capacity over the mean current, with self-discharge.", field: "fed[end].life.years" },
  about: { name: "battery", what: of.Life_about, unit: "", how: "Stated by its data sheet.", field: "fed[end].life.about" },
  capacity: { name: "capacity", what: of.Life_capacity_mah, unit: "mAh", how: "Stated by the battery's data sheet in links/batteries.toml.", field: "fed[end].life.capacity_mah" },
  overloaded: { name: "peak current", what: of.Life_overloaded_ma, unit: "mA", how: "Computed: the sum of the currents of all parts at each instant.", field: "fed[end].life.overloaded_ma", term: terms.peak_current },
  average: { name: "mean current", what: of.FedEnd_average_na, unit: "", how: "Computed: idle current, and the charge per message times the message rate.", field: "fed[end].average_na, nA" },
  idle: { name: "idle current", what: of.EndCharge_idle_na, unit: "", how: "Simulated: the current of all parts of this end without messages.", field: "charge[end].idle_na, nA", term: terms.idle_current },
  marginal: { name: "charge per message", what: of.EndCharge_marginal_nc, unit: "", how: "Simulated: the run with messages less the idle charge.", field: "charge[end].marginal_nc, nC", term: terms.charge_per_message },
  peak: { name: "peak current", what: of.EndCharge_peak_na, unit: "", how: "Computed: the sum of the currents of all parts at each instant.", field: "charge[end].peak_na, nA", term: terms.peak_current },
  part: { name: "part", what: of.PartCharge_about, unit: "", how: "Stated by its data sheet.", field: "charge[end].parts[].about" },
} as const;

export type Energy = keyof typeof ENERGY;

export function energyOf(quantity: Energy, end: string, charge: answers.EndCharge, life: answers.Life | null): Explanation {
  const { how, field, unit, ...rest } = ENERGY[quantity];
  const battery = quantity === "years" || quantity === "about" || quantity === "capacity" || quantity === "overloaded";
  return {
    ...rest,
    name: `${rest.name} of the ${end}`,
    ...(unit && { unit }),
    how: [how],
    sources: [
      ...(battery && life ? [`Battery: ${life.about} (links/batteries.toml).`] : []),
      ...(quantity === "capacity" || quantity === "about" ? [] : charge.parts.map(({ part, about }) => `${part}: ${about} (links/parts.toml).`)),
    ],
    field: field.replace("end", `"${end}"`),
    origin: LIMITS_ORIGIN,
  };
}

/** Information common to all loads. */
export function madeOf({ size, queue, arrivals, count, seed, set }: State): string[] {
  const changed = Object.entries(set).map(([name, value]) => `${name}=${value}`);
  return [
    `Each load is a run on the virtual bench: ${format.count(count)} measured messages of ${size} B, ${arrivals} arrivals, a queue of ${format.count(queue)} messages, random seed ${seed}; settings ${changed.length ? changed.join(", ") : "as in the profiles"}.`,
    `${LINEAR} Latencies contain the time in the queue.`,
    `${terms.saturated_goodput.term}: ${terms.saturated_goodput.meaning}. Ceiling: ${of.Ceiling}`,
  ];
}

/** Information common to regulatory limits and battery life. */
export function limitsMadeOf({ size, rate, region, battery, seed }: State, link: string, checked: string): string[] {
  return [
    `A run of ${link} with messages of ${size} B at ${rate}, random seed ${seed}; region ${region.toUpperCase()}, battery ${battery}.`,
    `Regulation was checked ${checked}. Limits are those of the documents whose clauses stand beside them (docs/law.md).`,
    "Currents are those of the data sheets in links/parts.toml, state by state (docs/energy.md).",
  ];
}
