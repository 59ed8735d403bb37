// Random numbers from a seed, so that a failure can be repeated, and hostile text.

export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
}

/** Mulberry32: small, and good enough to choose test cases. */
export function random(seed: number): Random {
  let at = seed >>> 0;
  return {
    below(end) {
      at = (at + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(at ^ (at >>> 15), at | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
    },
  };
}

const PIECES = [
  "#", "/", "?", "&", "=", ":", "%", "%00", "%0a", "%ff", "%e2%80%a8", "%ud800", "\ud800", "+", " ", "", "0", "-1", "1e999", "NaN",
  "Infinity", "99999999999999999999", "0x10", "12", "nrf24-2m", "espnow", "rate:2000", "rate", "a:b:c", "<script>", "javascript:",
  "'\"`", "${x}", "__proto__", "constructor", "toString", "../..", "\u202e", "é", "😀", "true", "false", "null", "undefined",
];

/** The part of an address from `#`, of known fields and of pieces that break careless readers. */
export function hostile(next: Random, fields: readonly string[]): string {
  const piece = () => PIECES[next.below(PIECES.length)] ?? "";
  let text = next.below(5) ? "#/packet?" : piece();
  for (let nth = next.below(12); nth > 0; nth--) {
    const field = next.below(4) ? fields[next.below(fields.length)] : piece();
    text += `${field}=${piece()}${next.below(2) ? piece() : ""}&`;
  }
  return next.below(50) ? text : text + piece().repeat(3000);
}
