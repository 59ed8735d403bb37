// A slider for a number that may span many powers of ten. Pure, for tests.

/** Positions of a slider: whole numbers from 0 to this. */
export const STEPS = 400;

export interface Travel {
  /** The value at a position. */
  value(position: number): number;
  /** The nearest position of a value. */
  position(value: number): number;
  /** Ends of the slider; the bounds of the parameter may be wider. */
  readonly low: number;
  readonly high: number;
}

/** Above this ratio of its ends, a slider is logarithmic. */
const WIDE = 50;
/** Factor by which a slider extends below and above the published value. */
const REACH = 100;

/**
 * The travel of a slider within the bounds of a parameter, around its published value.
 *
 * Bounds such as 0 to 1000 s are those that the model accepts. A slider over all of this range would have the useful
 * values within one px. It therefore extends from 1/100 of the published value to 100 times this value, and a box
 * beside it takes any value.
 */
export function travel(between: readonly [number, number], published: number, whole: boolean): Travel {
  const [least, most] = between;
  if (least < 0 || most - least <= WIDE) return straight(least, most, whole);
  const middle = published > 0 ? published : Math.min(most, 1000) / 10;
  const high = Math.min(most, rounded(middle * REACH, whole));
  const first = Math.max(least, middle / REACH, whole ? 1 : 0);
  if (high / Math.max(first, 1e-12) <= WIDE) return straight(least, high, whole);
  return stretched(least, first, high, whole);
}

function straight(low: number, high: number, whole: boolean): Travel {
  return {
    low,
    high,
    value: (position) => within(rounded(low + ((high - low) * position) / STEPS, whole), low, high),
    position: (value) => placed((value - low) / (high - low)),
  };
}

/** Logarithmic from `first` to `high`; the first position is `low`, which may be 0. */
function stretched(low: number, first: number, high: number, whole: boolean): Travel {
  const ratio = Math.log(high / first);
  return {
    low,
    high,
    value(position) {
      if (position <= 0) return low;
      if (position >= STEPS) return high;
      return within(rounded(first * Math.exp((ratio * (position - 1)) / (STEPS - 1)), whole), low, high);
    },
    position(value) {
      if (!(value > low)) return 0;
      const share = Math.log(Math.max(value, first) / first) / ratio;
      return Math.min(1 + Math.round(share * (STEPS - 1)), STEPS);
    },
  };
}

function placed(share: number): number {
  return Math.min(Math.max(Math.round(share * STEPS), 0), STEPS);
}

/** A rounded value may lie beyond a bound, which the core would refuse. */
function within(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Three significant digits: more cannot be set with a slider. */
function rounded(value: number, whole: boolean): number {
  const short = Number(value.toPrecision(3));
  return whole ? Math.round(short) : short;
}

/** Names of the parameters whose value in an answer of "links" is written as a real number, such as `1.0`. */
export function realNames(json: string): Set<string> {
  // Parsed JSON does not show whether a number may have a fraction, but its text does.
  const found = json.matchAll(/"([a-z0-9_]+)": \{\s+"value": -?\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+),/g);
  return new Set([...found].map(([, name]) => name ?? ""));
}

/** Text of a number in the syntax of `--set`. */
export function settingText(value: number): string {
  const text = String(value);
  // Small numbers in JavaScript have an exponent, which is plain text for the core only without it.
  return /e/.test(text) ? value.toFixed(12).replace(/\.?0+$/, "") : text;
}
