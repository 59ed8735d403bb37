// Two emulated boards with a radio each, and a capture of their pins.
//
// A board of any processor has
//
//   ns                      its virtual time
//   acts                    earliest time at which its program can act, ns
//   step()                  execute an instruction, or sleep until `acts`
//   watch(pin, changed)     call with each level that the program drives
//   drive(pin, level, at)   put a level on an input at a time, ns
//   connect(exchange)       call as a byte begins on SPI, and return the byte of the radio
//
// The board that is behind goes first. No instruction begins after the next event of the radios.

import { Capture } from "./capture.js";
import { Radios } from "./radios.js";

const ENDS = ["sender", "receiver"];

export class Link {
  #radios = new Radios();

  /** Connects the radios to sender and receiver; `pins` are the same on both: `select`, `enable` and `interrupt`. */
  constructor(boards, pins) {
    this.boards = boards;
    this.capture = new Capture();
    /** Record a level of these channels at a time, ns. */
    this.trigger = this.capture.channel("trigger", 0);
    this.strobe = this.capture.channel("strobe", 0);
    const interrupts = boards.map((board, nth) => this.#connect(board, nth, pins));
    this.#radios.onInterrupt = (nth, level, ns) => {
      interrupts[nth](ns, level);
      boards[nth].drive(pins.interrupt, level, ns);
    };
  }

  /** Runs until a time, ns, or until `done`. */
  run(until, done = () => false) {
    const [one, other] = this.boards;
    const radios = this.#radios;
    for (;;) {
      const behind = one.acts <= other.acts ? one : other;
      if (Math.min(behind.acts, radios.next) >= until || done()) return;
      if (radios.next <= behind.acts) radios.advance(radios.next);
      else behind.step();
    }
  }

  /** Returns the function that records the interrupt pin. */
  #connect(board, nth, pins) {
    const radios = this.#radios;
    const channel = (name, level) => this.capture.channel(`${ENDS[nth]} ${name}`, level);
    const [select, enable, interrupt] = [channel("CSN", 1), channel("CE", 0), channel("IRQ", 1)];
    board.watch(pins.select, (level) => {
      select(board.ns, level);
      if (level === 0) radios.select(board.ns, nth);
      else radios.deselect(board.ns, nth);
    });
    board.watch(pins.enable, (level) => {
      enable(board.ns, level);
      radios.enable(board.ns, nth, level);
    });
    board.connect((byte) => radios.exchange(board.ns, nth, byte));
    board.drive(pins.interrupt, 1, 0);
    return interrupt;
  }
}
