// Runs two Picos with a radio each, and connects the serial port on USB of both to pseudo terminals:
//
//   airlag-lockstep nrf24-2m -- node control.js nrf24 SENDER RECEIVER DESCRIPTOR DESCRIPTOR CAPTURE
//
// The descriptors are those of the terminals' open controllers, of the sender and of the receiver. It ends when the
// other side of a terminal is closed. CAPTURE is a CSV of Logic 2, as that of link.js: the trigger is the pin on which
// the sender marks what it starts itself. It prints "connected" on standard error once a host has opened both ports.

import { read, readFileSync, writeSync } from "node:fs";
import { Link } from "../../loop/link.js";
import { Board } from "./board.js";
import { MARK, RADIOS, STROBE, TRIGGER } from "./pins.js";
import { Host } from "./usb.js";

/** Virtual time between two looks at the terminals. */
const SLICE_NS = 100_000;

const [radio, sender, receiver, one, other, capture] = process.argv.slice(2);
const terminals = [one, other].map(Number);
const boards = [sender, receiver].map((image) => new Board(readFileSync(image)));
const link = new Link(boards, RADIOS[radio]);
boards[0].drive(TRIGGER, 0, 0);
boards[0].watch(MARK, (level) => link.trigger(boards[0].ns, level));
boards[1].watch(STROBE, (level) => link.strobe(boards[1].ns, level));

let isOver = false;
let connected = 0;
boards.forEach((board, nth) => {
  const host = new Host(board.chip);
  const terminal = terminals[nth];
  const listen = () =>
    read(terminal, Buffer.alloc(256), 0, 256, null, (error, length, bytes) => {
      if (error || length === 0) {
        isOver = true;
        return;
      }
      host.send(bytes.subarray(0, length));
      listen();
    });
  host.onPacket = (bytes) => {
    if (bytes.length > 0) writeSync(terminal, bytes);
  };
  host.port.onDeviceConnected = () => {
    if (++connected === boards.length) writeSync(2, "connected\n");
    listen();
  };
});

let until = 0;
while (!isOver) {
  until += SLICE_NS;
  // A sleeping board has no alarm; its time goes on all the same, so that a packet of its host comes now.
  for (const board of boards) board.at(until, () => {});
  link.run(until);
  await new Promise((resolve) => setImmediate(resolve));
}
link.capture.write(capture, 0, until);
process.exit(0);
