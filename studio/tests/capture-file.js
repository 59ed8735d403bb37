// Writes a capture as CSV of Logic 2, with seeded latencies and losses: node capture-file.js ROWS FILE [SEED]

import { closeSync, openSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Rows of a capture, in pieces of text: four rows a transfer, two for a lost one. */
export function* pieces(rows, seed = 1) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const time = (ns) => `${Math.floor(ns / 1e9)}.${String(ns % 1e9).padStart(9, "0")}`;
  let text = "Time [s],Channel 0,Channel 1\n0.000000000,0,0\n";
  let written = 1;
  let trigger_ns = 10_000_000;
  while (written < rows) {
    const latency_ns = 2_000_000 + Math.floor(uniform() * 1_000_000) + (uniform() < 0.01 ? 3_000_000 : 0);
    text += `${time(trigger_ns)},1,0\n${time(trigger_ns + 50_000)},0,0\n`;
    written += 2;
    if (uniform() >= 0.001) {
      text += `${time(trigger_ns + latency_ns)},0,1\n${time(trigger_ns + latency_ns + 2000)},0,0\n`;
      written += 2;
    }
    trigger_ns += 10_000_000 + Math.floor(uniform() * 1_000_000);
    if (text.length > 1 << 20) {
      yield text;
      text = "";
    }
  }
  yield text;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [rows, file, seed] = process.argv.slice(2);
  if (!/^\d+$/.test(rows ?? "") || !file) throw new Error("usage: node capture-file.js ROWS FILE [SEED]");
  const target = openSync(file, "w");
  for (const text of pieces(Number(rows), Number(seed ?? 1))) writeSync(target, text);
  closeSync(target);
}
