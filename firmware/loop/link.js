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

  /**
   * Connects the radios to sender and receiver. `pins` are the same on both: `select`; `driven`, the one of the radio
   * that the board drives, with its name, its name in a request, and its level at rest; and `read`, those that it
   * reads, with their names, in the order of a reply.
   */
  constructor(boards, pins) {
    this.boards = boards;
    this.capture = new Capture();
    /** Record a level of these channels at a time, ns. */
    this.trigger = this.capture.channel("trigger", 0);
    this.strobe = this.capture.channel("strobe", 0);
    const read = boards.map((board, nth) => this.#connect(board, nth, pins));
    this.#radios.onPin = (nth, pin, level, ns) => {
      read[nth][pin](ns, level);
      boards[nth].drive(pins.read[pin].pin, level, ns);
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

  /** Returns the functions that record the pins which the board reads. */
  #connect(board, nth, { select, driven, read }) {
    const radios = this.#radios;
    const channel = (name, level) => this.capture.channel(`${ENDS[nth]} ${name}`, level);
    const [selected, moved] = [channel("CSN", 1), channel(driven.name, driven.rest)];
    board.watch(select, (level) => {
      selected(board.ns, level);
      if (level === 0) radios.select(board.ns, nth);
      else radios.deselect(board.ns, nth);
    });
    board.watch(driven.pin, (level) => {
      moved(board.ns, level);
      radios.drive(board.ns, nth, driven.request, level);
    });
    board.connect((byte) => radios.exchange(board.ns, nth, byte));
    return read.map(({ name, pin }, place) => {
      const level = Number(radios.levels[nth][place]);
      board.drive(pin, level, 0);
      return channel(name, level);
    });
  }
}
