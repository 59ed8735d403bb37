// Runs two Arduino Unos with a radio each, as their images are flashed, and records their pins as an analyser would:
//
//   airlag-lockstep nrf24-2m -- node link.js SENDER RECEIVER CAPTURE [SECONDS [TYPED [TYPED]]]
//
// CAPTURE is a CSV of Logic 2 from the start on: trigger, strobe, and the pins of both radios. Each line that a sketch
// prints is a line of standard error, after the name of its end. TYPED is sent to the serial port of the sender, and of
// the receiver, after 50 ms.

import { readFileSync } from "node:fs";
import { Link } from "../../loop/link.js";
import { Board } from "./board.js";

/** Pins, as Arduino names them. Those of the radio are the ones of the examples of RF24. */
const TRIGGER = 3;
const STROBE = 4;
const RADIO = {
  select: 8,
  driven: { name: "CE", request: "ce", pin: 7, rest: 0 },
  read: [{ name: "IRQ", pin: 2 }],
};
/** Start of TYPED, ns: after the set-up of a sketch. */
const TYPED_NS = 50e6;

const [sender, receiver, capture, seconds = "1", ...typed] = process.argv.slice(2);
const boards = [sender, receiver].map((image) => new Board(readFileSync(image)));
const link = new Link(boards, RADIO);
boards[0].watch(TRIGGER, (level) => link.trigger(boards[0].ns, level));
boards[1].watch(STROBE, (level) => link.strobe(boards[1].ns, level));
["sender", "receiver"].forEach((name, nth) => {
  boards[nth].listen((line) => console.error(`${name}: ${line}`));
  boards[nth].type(typed[nth] ?? "", TYPED_NS);
});

const end = Number(seconds) * 1e9;
link.run(end);
link.capture.write(capture, 0, end);
