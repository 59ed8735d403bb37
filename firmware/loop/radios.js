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
    /** Called with board, level and time of each change of an interrupt pin. */
    this.onInterrupt = () => {};
    this.levels = [1, 1];
    this.#ask(0, "");
  }

  /** Runs the events until a time, ns. */
  advance(ns) {
    while (this.next <= ns) this.#ask(this.next, "");
  }

  enable(ns, board, level) {
    this.#request(ns, ` ce ${board} ${level}`);
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
    [one, other].forEach((word, board) => {
      const level = Number(word);
      if (level === this.levels[board]) return;
      this.levels[board] = level;
      this.onInterrupt(board, level, ns);
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
