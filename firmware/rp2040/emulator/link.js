// Runs two Picos with a radio each, as their images are flashed, and records their pins as an analyser would:
//
//   airlag-lockstep nrf24-2m -- node link.js nrf24 SENDER RECEIVER CAPTURE [TRIGGERS] [PERIOD_NS]
//
// The radios are nrf24 or sx127x. CAPTURE is a CSV of Logic 2: trigger, strobe, and the pins of both radios, from the end of the set-up on. Its exit
// code is 1 if a light is on at the end: the set-up failed, or the link reported an error.

import { readFileSync } from "node:fs";
import { Link } from "../../loop/link.js";
import { Board } from "./board.js";
import { LIGHT, RADIOS, STROBE, TRIGGER } from "./pins.js";

/** Longest set-up, and the width of a trigger pulse. */
const SET_UP_NS = 1e9;
const PULSE_NS = 20_000;

const [radio, sender, receiver, capture, triggers = "50", period = "10013107"] = process.argv.slice(2);
const boards = [sender, receiver].map((image) => new Board(readFileSync(image)));
const link = new Link(boards, RADIOS[radio]);
const lights = [1, 1];
boards.forEach((board, nth) => board.watch(LIGHT, (level) => (lights[nth] = level)));
boards[0].drive(TRIGGER, 0, 0);
boards[1].watch(STROBE, (level) => link.strobe(boards[1].ns, level));

link.run(SET_UP_NS, () => lights[0] === 0 && lights[1] === 0);
const began = Math.max(...boards.map((board) => board.ns));
const end = began + Number(period) * (Number(triggers) + 1);
for (let nth = 1; nth <= Number(triggers); nth++) {
  const at = began + Number(period) * nth;
  for (const [ns, level] of [[at, 1], [at + PULSE_NS, 0]]) {
    boards[0].drive(TRIGGER, level, ns);
    link.trigger(ns, level);
  }
}
link.run(end);
link.capture.write(capture, began, end);
process.exitCode = lights.some((level) => level === 1) ? 1 : 0;
