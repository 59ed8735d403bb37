// Runs two Picos with a radio each, as their images are flashed, and records their pins as an analyser would:
//
//   airlag-lockstep nrf24-2m -- node link.js SENDER RECEIVER CAPTURE [TRIGGERS] [PERIOD_NS]
//
// CAPTURE is a CSV of Logic 2: trigger, strobe, and the pins of both radios, from the end of the set-up on. Its exit
// code is 1 if a light is on at the end: the set-up failed, or the link reported an error.

import { readFileSync, writeFileSync } from "node:fs";
import { Board } from "./board.js";
import { Radios } from "./radios.js";

/** Pins of an end, as in src/end.rs. */
const TRIGGER = 14;
const STROBE = 15;
const SELECT = 17;
const ENABLE = 20;
const INTERRUPT = 21;
const LIGHT = 25;
/** Longest set-up, and the width of a trigger pulse. */
const SET_UP_NS = 1e9;
const PULSE_NS = 20_000;

const [sender, receiver, capture, triggers = "50", period = "10013107"] = process.argv.slice(2);
const boards = [sender, receiver].map((image) => new Board(readFileSync(image)));
const radios = new Radios();
const names = ["trigger", "strobe"];
const levels = [0, 0];
const lights = [1, 1];
const edges = [];

/** A channel of the capture; the function returned records a level at a time, ns. */
function channel(name, level) {
  let nth = names.indexOf(name);
  if (nth < 0) nth = names.push(name) - 1;
  levels[nth] = level;
  return (ns, changed) => edges.push([ns, nth, changed]);
}

const interrupts = boards.map((board, nth) => {
  const of = (name) => `${["sender", "receiver"][nth]} ${name}`;
  const [select, enable] = [channel(of("CSN"), 1), channel(of("CE"), 0)];
  board.watch(SELECT, (level) => {
    select(board.ns, level);
    if (level === 0) radios.select(board.ns, nth);
    else radios.deselect(board.ns, nth);
  });
  board.watch(ENABLE, (level) => {
    enable(board.ns, level);
    radios.enable(board.ns, nth, level);
  });
  board.watch(LIGHT, (level) => (lights[nth] = level));
  board.connect((byte) => radios.exchange(board.ns, nth, byte));
  board.drive(INTERRUPT, 1, 0);
  return channel(of("IRQ"), 1);
});
radios.onInterrupt = (nth, level, ns) => {
  interrupts[nth](ns, level);
  boards[nth].drive(INTERRUPT, level, ns);
};
const [trigger, strobe] = [channel("trigger", 0), channel("strobe", 0)];
boards[0].drive(TRIGGER, 0, 0);
boards[1].watch(STROBE, (level) => strobe(boards[1].ns, level));

/**
 * Runs until a time, ns, or until `done`. The board that is behind goes first. No instruction begins after the next event
 * of the radios.
 */
function run(until, done = () => false) {
  for (;;) {
    const [one, other] = boards;
    const behind = one.acts <= other.acts ? one : other;
    if (Math.min(behind.acts, radios.next) >= until || done()) return;
    if (radios.next <= behind.acts) radios.advance(radios.next);
    else behind.step();
  }
}

run(SET_UP_NS, () => lights[0] === 0 && lights[1] === 0);
const began = Math.max(...boards.map((board) => board.ns));
const before = edges.splice(0);
for (const [, nth, level] of before) levels[nth] = level;
const end = began + Number(period) * (Number(triggers) + 1);
for (let nth = 1; nth <= Number(triggers); nth++) {
  const at = began + Number(period) * nth;
  for (const [ns, level] of [[at, 1], [at + PULSE_NS, 0]]) {
    boards[0].drive(TRIGGER, level, ns);
    trigger(ns, level);
  }
}
run(end);

const rows = [`Time [s],${names.join(",")}`];
const row = (ns) => rows.push(`${(ns / 1e9).toFixed(9)},${levels.join(",")}`);
row(0);
edges.sort(([one], [other]) => one - other);
edges.forEach(([ns, nth, level], place) => {
  levels[nth] = level;
  if (edges[place + 1]?.[0] !== ns) row(ns - began);
});
row(end - began);
writeFileSync(capture, `${rows.join("\n")}\n`);
process.exitCode = lights.some((level) => level === 1) ? 1 : 0;
