// Amounts with units, as the command line reads them: `16.6ms`, `1%`, `50uC`, `1y`, `1/min`.
//
// An error is one line for the user: the problem, and a valid alternative.

/** A parsed value, or the error of the text. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refused(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}

/** Longest text of an amount, characters. */
const LONGEST = 40;
/** Powers of ten of the units of time, in ns. Micro sign and Greek letter mu are both in use. */
const TIME_DIGITS = new Map([["ns", 0], ["us", 3], ["µs", 3], ["μs", 3], ["ms", 6], ["s", 9]]);
/** Longer units of time, in seconds. */
const LONG_UNITS = new Map([["min", 60], ["h", 3600], ["d", 86_400]]);
/** Units of charge, in nC. */
const CHARGES = new Map([["nC", 1], ["uC", 1e3], ["µC", 1e3], ["mC", 1e6], ["C", 1e9]]);
/** Units of battery life, in years. */
const YEARS = new Map([["h", 1 / 8766], ["d", 1 / 365.25], ["w", 7 / 365.25], ["y", 1]]);
/** Units of time in a message rate, in seconds. */
const SECONDS = new Map([["s", 1], ...LONG_UNITS]);

/** Splits a text into an unsigned decimal number and the word after it. */
function parts(text: string): [number: string, word: string] | undefined {
  const found = /^(\d+\.?\d*|\.\d+)\s*(\D*)$/u.exec(text.trim());
  return found && text.length <= LONGEST ? [found[1] ?? "", (found[2] ?? "").trim()] : undefined;
}

function quoted(text: string): string {
  return `“${[...text.trim()].slice(0, LONGEST).join("")}”`;
}

/** Parses a duration from `low_ns` to `high_ns`, exact to the nanosecond. */
export function duration(text: string, low_ns: number, high_ns: number): Parsed<number> {
  const found = parts(text);
  if (!found) return refused(`${quoted(text)} is not a duration; write a number and a unit, such as 16.6ms`);
  const [number, unit] = found;
  if (!unit) return refused(`${quoted(text)} has no unit; write ${number}us, ${number}ms or ${number}s`);
  const seconds = LONG_UNITS.get(unit);
  const digits = TIME_DIGITS.get(seconds ? "s" : unit);
  if (digits === undefined) return refused(`unit “${unit}” is unknown; write ns, us, ms, s, min, h or d`);
  const [whole = "", fraction = ""] = number.split(".");
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > digits) return refused(`${quoted(text)} is finer than 1 ns; write whole nanoseconds`);
  const ns = Number(whole + significant.padEnd(digits, "0")) * (seconds ?? 1);
  if (!(ns >= low_ns && ns <= high_ns)) {
    return refused(`${quoted(text)} is out of range; write ${exactTime(low_ns)} to ${exactTime(high_ns)}`);
  }
  return parsed(ns);
}

/** Formats a duration for a command line, exact to the nanosecond: `16.6ms`. */
export function exactTime(ns: number): string {
  const unit = [...TIME_DIGITS].filter(([name]) => !/[µμ]/.test(name)).findLast(([, digits]) => ns >= 10 ** digits);
  const [name, digits] = unit ?? ["ns", 0];
  const text = String(Math.round(ns)).padStart(digits + 1, "0");
  const fraction = digits ? text.slice(-digits).replace(/0+$/, "") : "";
  return `${text.slice(0, text.length - digits)}${fraction ? `.${fraction}` : ""}${name}`;
}

/** Parses a percentage from `low` to `high`, with or without the sign. */
export function percent(text: string, low: number, high: number, example: string): Parsed<number> {
  const found = parts(text);
  if (!found || !["", "%"].includes(found[1])) {
    return refused(`${quoted(text)} is not a percentage; write one such as ${example}`);
  }
  const value = Number(found[0]);
  if (!(value >= low && value <= high)) return refused(`${quoted(text)} is out of range; write ${low} to ${high} %`);
  return parsed(value);
}

/** Parses a charge, nC. */
export function charge(text: string): Parsed<number> {
  return amount(text, CHARGES, "charge", "50uC");
}

/** Parses a battery life, years. */
export function batteryLife(text: string): Parsed<number> {
  return amount(text, YEARS, "battery life", "1y or 90d");
}

function amount(text: string, units: ReadonlyMap<string, number>, what: string, example: string): Parsed<number> {
  const found = parts(text);
  const size = found && units.get(found[1]);
  if (!found || size === undefined) {
    const names = [...units.keys()].filter((name) => !name.startsWith("µ")).join(", ");
    return refused(`${quoted(text)} is not a ${what}; write a number and one of ${names}, such as ${example}`);
  }
  const value = Number(found[0]) * size;
  return value > 0 && Number.isFinite(value)
    ? parsed(value)
    : refused(`${quoted(text)} is not a ${what}; write one above 0, such as ${example}`);
}

/** Parses a message rate, 1/s. */
export function rate(text: string): Parsed<number> {
  const [number = "", unit = "", ...more] = text.split("/");
  const seconds = SECONDS.get(unit.trim());
  const found = parts(number);
  if (seconds === undefined || !found || found[1] || more.length) {
    return refused(`${quoted(text)} is not a message rate; write a number per s, min, h or d, such as 1/min`);
  }
  const value = Number(found[0]) / seconds;
  return value > 0 && value < 1e6
    ? parsed(value)
    : refused(`${quoted(text)} is out of range; write a message rate such as 1/min or 10/s`);
}

/** Parses a whole number from `low` to `high`. */
export function whole(text: string, low: number, high: number): Parsed<number> {
  const value = /^\d{1,16}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= low && value <= high
    ? parsed(value)
    : refused(`${quoted(text)} is not a whole number from ${low} to ${high}`);
}

/** Parses numbers from `low` to `high`, separated by commas. */
export function numbers(text: string, low: number, high: number, example: string): Parsed<number[]> {
  const values = text.split(",").map((one) => (/^\s*(\d+\.?\d*|\.\d+)\s*$/.test(one) ? Number(one) : NaN));
  return values.length <= 64 && values.every((value) => value >= low && value <= high)
    ? parsed(values)
    : refused(`${quoted(text)} is not a list of numbers from ${low} to ${high}; write such as ${example}`);
}
