// The radios of both boards: requests to airlag-lockstep on standard output, replies on standard input.
//
// crates/lockstep/src/request.rs has the format. Both are pipes that block, so that virtual time stands still meanwhile.

import { readSync, writeSync } from "node:fs";

const NONE = Infinity;

export class Radios {
  #buffer = Buffer.alloc(256);
  #now = 0;

  constructor() {
    /** Time of the next event, ns. */
    this.next = NONE;
    /** Called with board, number of the pin, level and time of each change of a pin that the board reads. */
    this.onPin = () => {};
    /** Levels of these pins, one digit each: see request.rs. */
    this.levels = ["", ""];
    this.#ask(0, "");
  }

  /** Runs the events until a time, ns. */
  advance(ns) {
    while (this.next <= ns) this.#ask(this.next, "");
  }

  /** Puts a level on a pin of a radio: `ce` or `reset`. */
  drive(ns, board, pin, level) {
    this.#request(ns, ` ${pin} ${board} ${level}`);
  }

  select(ns, board) {
    this.#request(ns, ` select ${board}`);
  }

  deselect(ns, board) {
    this.#request(ns, ` deselect ${board}`);
  }

  exchange(ns, board, byte) {
    return parseInt(this.#request(ns, ` byte ${board} ${byte.toString(16)}`), 16);
  }

  /**
   * Boards take turns by instruction, so one may be a few cycles behind what the other has already done. A cycle may
   * end within a nanosecond; requests have whole ones.
   */
  #request(ns, action) {
    const at = Math.max(Math.ceil(ns), this.#now);
    this.advance(at);
    return this.#ask(at, action);
  }

  #ask(ns, action) {
    this.#now = ns;
    writeSync(1, `${ns}${action}\n`);
    const [next, one, other, byte] = this.#line().split(" ");
    this.next = next === "-" ? NONE : Number(next);
    [one, other].forEach((levels, board) => {
      const before = this.levels[board];
      this.levels[board] = levels;
      [...levels].forEach((level, pin) => {
        if (level !== before[pin]) this.onPin(board, pin, Number(level), ns);
      });
    });
    return byte;
  }

  /** A line, which airlag-lockstep writes at once. */
  #line() {
    const length = readSync(0, this.#buffer);
    if (length === 0) throw new Error("airlag-lockstep has ended");
    return this.#buffer.toString("ascii", 0, length - 1);
  }
}
