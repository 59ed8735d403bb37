// Scales of an axis: conversion of a value to a place in px, and round values for ticks.

export interface Scale {
  (value: number): number;
  readonly domain: readonly [number, number];
  /** The value at a place. */
  invert(px: number): number;
  /** About `wanted` round values within the domain. */
  ticks(wanted: number): number[];
}

/** A linear scale. An empty domain is widened, so that its one value has a place. */
export function linear(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [low, high] = widened(domain);
  const [from, to] = range;
  const place = (value: number) => from + ((value - low) / (high - low)) * (to - from);
  const invert = (px: number) => low + ((px - from) / (to - from)) * (high - low);
  return Object.assign(place, { domain: [low, high] as const, invert, ticks: (wanted: number) => roundValues(low, high, wanted) });
}

/** A logarithmic scale. Values below its domain, such as 0, have the place of its lower end. */
export function logarithmic(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const high = domain[1] > 0 ? domain[1] : 1;
  const low = domain[0] > 0 && domain[0] < high ? domain[0] : high / 10;
  const [from, to] = range;
  const width = Math.log(high / low);
  const place = (value: number) => from + (Math.log(Math.max(value, low) / low) / width) * (to - from);
  const invert = (px: number) => low * Math.exp(((px - from) / (to - from)) * width);
  return Object.assign(place, { domain: [low, high] as const, invert, ticks: (wanted: number) => powers(low, high, wanted) });
}

function widened([low, high]: readonly [number, number]): [number, number] {
  if (high > low) return [low, high];
  const room = Math.abs(low) * 0.01 || 1;
  return [low - room, low + room];
}

/** Multiples of 1, 2 or 5 times a power of ten, from `low` to `high`. */
export function roundValues(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / Math.max(wanted, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, nth) => (first + nth) * step);
}

/** Values 1, 2 and 5 times powers of ten; powers alone if those are enough; round values of a narrow domain. */
function powers(low: number, high: number, wanted: number): number[] {
  for (const digits of [[1], [1, 3], [1, 2, 5]]) {
    const found: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const digit of digits) {
        const value = digit * 10 ** power;
        if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
      }
    }
    if (found.length >= Math.min(wanted, 3)) return thinned(found, wanted * 2);
  }
  return roundValues(low, high, wanted);
}

function thinned(values: number[], most: number): number[] {
  const every = Math.ceil(values.length / most);
  return values.filter((_, at) => at % every === 0);
}
