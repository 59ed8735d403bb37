// Levels of pins over virtual time, as a CSV of Logic 2.

import { writeFileSync } from "node:fs";

export class Capture {
  #names = [];
  #levels = [];
  #edges = [];

  /** Adds a channel; the returned function records a level at a time, ns. */
  channel(name, level) {
    const nth = this.#names.push(name) - 1;
    this.#levels.push(level);
    return (ns, changed) => this.#edges.push([ns, nth, changed]);
  }

  /** Writes the edges after `from` until `to`, ns, with times from `from` on. */
  write(file, from, to) {
    const levels = [...this.#levels];
    const rows = [`Time [s],${this.#names.join(",")}`];
    const row = (ns) => rows.push(`${((ns - from) / 1e9).toFixed(9)},${levels.join(",")}`);
    const edges = [...this.#edges].sort(([one], [other]) => one - other).filter(([ns]) => ns <= to);
    const first = edges.findIndex(([ns]) => ns > from);
    const recorded = first < 0 ? [] : edges.splice(first);
    for (const [, nth, level] of edges) levels[nth] = level;
    row(from);
    recorded.forEach(([ns, nth, level], place) => {
      levels[nth] = level;
      if (recorded[place + 1]?.[0] !== ns) row(ns);
    });
    row(to);
    writeFileSync(file, `${rows.join("\n")}\n`);
  }
}
