// Amounts as text, as the command line prints them: four significant digits, thousands separated, with the unit.

/** A unit, and its size in the unit of the quantity. */
export interface Unit {
  readonly name: string;
  readonly size: number;
}

const units = (...names: string[]): readonly Unit[] => names.map((name, at) => ({ name, size: 1000 ** at }));

/** Units of time in ns, of charge in nC, of current in nA, smallest first. */
export const TIMES = units("ns", "us", "ms", "s");
export const CHARGES = units("nC", "uC", "mC", "C");
export const CURRENTS = units("nA", "uA", "mA", "A");

/** Units of a rate on a command line, and their length in seconds. */
const RATES = [["s", 1], ["min", 60], ["h", 3600], ["d", 86_400]] as const;
const YEAR_DAYS = 365.25;
/** Non-breaking space between groups of digits, and between a number and its unit. */
const SPACE = "\u00a0";

/** The unit in which the largest of these durations is at least 1 and below 10 000. */
export function timeUnit(durations_ns: Iterable<number>): Unit {
  let largest = 0;
  for (const ns of durations_ns) largest = Math.max(largest, Math.abs(ns));
  const [, , ms, s] = TIMES as [Unit, Unit, Unit, Unit];
  if (largest <= 0) return ms;
  const at = TIMES.slice(0, 3).findIndex((unit) => largest < 10_000 * unit.size);
  if (at < 0) return s;
  // 4 000 us reads better as 4 ms, but 400 us does not read better as 0.4 ms.
  return TIMES[largest >= (TIMES[at + 1] as Unit).size ? at + 1 : at] as Unit;
}

/** Formats a number with this many significant digits, without exponent, with thousands separated. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const decimals = Math.min(Math.max(digits - 1 - Math.floor(Math.log10(Math.abs(value))), 0), 100);
  const [whole = "", fraction = ""] = value.toFixed(decimals).split(".");
  // Trailing zeros of a very small number carry no information.
  const rest = decimals > 6 ? fraction.replace(/0+$/, "") : fraction;
  return `${grouped(whole)}${rest ? `.${rest}` : ""}`;
}

/** Formats a number without visible rounding and without trailing zeros, such as a setting or a tick of an axis. */
export function plainNumber(value: number): string {
  // Multiples of a step are not exact: 0.30000000000000004.
  const text = number(Number(value.toPrecision(12)), 12);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Formats a count with thousands separated. */
export function count(value: number): string {
  return grouped(String(value));
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, SPACE);
}

/** Formats a value in a unit, with the unit. */
export function inUnit(value: number, unit: Unit): string {
  return `${number(value / unit.size)}${SPACE}${unit.name}`;
}

/** Formats a duration in a suitable unit. */
export function duration(ns: number): string {
  return inUnit(ns, timeUnit([ns]));
}

/** Formats a value in the largest unit in which it is at least 1. */
export function inUnits(value: number, all: readonly Unit[]): string {
  return inUnit(value, all.findLast((unit) => Math.abs(value) >= unit.size) ?? (all[0] as Unit));
}

/** Formats a value with a unit by name, which may be empty. */
export function withUnit(value: number, unit: string): string {
  return unit ? `${number(value)}${SPACE}${unit}` : number(value);
}

/** Formats a ratio in percent. Rounds to 0 % or 100 % only if it is exact. */
export function percent(ratio: number): string {
  const value = 100 * ratio;
  if (ratio === 0 || ratio === 1) return `${value}${SPACE}%`;
  const nearest = Math.min(value, 100 - value);
  const decimals = nearest >= 0.1 ? 1 : Math.min(1 - Math.floor(Math.log10(nearest)), 12);
  return `${value.toFixed(decimals)}${SPACE}%`;
}

/** Formats a battery life: `1.4 years`, `35 days`, `7 hours`. */
export function years(value: number): string {
  const days = value * YEAR_DAYS;
  if (value >= 1) return `${number(value)}${SPACE}years`;
  return days >= 1 ? `${number(days)}${SPACE}days` : `${number(days * 24)}${SPACE}hours`;
}

/** Formats a message rate as the command line reads it: `1/min`. */
export function rate(per_second: number): string {
  const [unit, seconds] = RATES.find(([, length]) => per_second * length >= 1 - 1e-9) ?? RATES[3];
  return `${Number((per_second * seconds).toPrecision(6))}/${unit}`;
}

/** Removes the trailing zeros of the decimals of a formatted amount, for a limit, which is exact. */
export function compact(text: string): string {
  const short = text.replace(/\.(\d*?)0+(?!\d)/, (_, rest: string) => (rest ? `.${rest}` : ""));
  return short.replace(/^1(\s)(year|day|hour)s$/, "1$1$2");
}
