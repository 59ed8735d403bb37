// Widths of the pulses on pin 4 that an image makes, in cycles of the system clock: node cycles.js IMAGE PULSES
//
// It prints a JSON list.

import { readFileSync } from "node:fs";
import { Board, CYCLE_NS } from "./board.js";

const STROBE = 4;
/** Longest time that an image takes. */
const LIMIT_NS = 1e9;

const [image, pulses] = process.argv.slice(2);
const board = new Board(readFileSync(image));
board.connect(() => 0);
const widths = [];
let rose = 0;
board.watch(STROBE, (level) => {
  if (level === 1) rose = board.ns;
  else if (rose > 0) widths.push((board.ns - rose) / CYCLE_NS);
});
while (widths.length < Number(pulses) && board.acts < LIMIT_NS) board.step();
console.log(JSON.stringify(widths));
