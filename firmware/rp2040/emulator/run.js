// Runs an image behind a pseudo terminal: node run.js IMAGE DESCRIPTOR PLAN
//
// DESCRIPTOR is the number of the terminal's open controller. PLAN is a JSON file: `edges`, the name of a file of pairs of
// doubles in the byte order of this computer: time since the first packet, ns, and the pin whose level this edge inverts;
// and `stalls`, a list of [from, to] between which the host takes no packets. Millions of edges exceed what JSON can be
// parsed from. It prints "connected", "edges" once the host has all edges, and at SIGTERM a
// JSON object: emulated time, packets, the largest depth of the stack, and edges of driven pins as [ns, pin, level].

import { read, readFileSync, writeSync } from "node:fs";
import { Pico } from "./pico.js";
import { Host } from "./usb.js";

/** Emulated time between two looks at the terminal. */
const SLICE_NS = 100_000;
/** Pins from GP0 on that an instrument records. */
const CHANNELS = 8;

const [image, descriptor, plan] = process.argv.slice(2);
const terminal = Number(descriptor);
const { edges, stalls } = JSON.parse(readFileSync(plan, "utf8"));
const stored = readFileSync(edges);
/** Time and pin of each edge, one after the other. */
const pairs = new Float64Array(stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength));
const many = pairs.length / 2;
const pico = new Pico(readFileSync(image));
const host = new Host(pico.chip);
/** Emulated time in which the host has an edge. */
const ARRIVES_NS = 30e6;
const driven = [];
let packets = 0;
let began = Infinity;
let next = 0;
let due = Infinity;
let isOver = false;
let isTold = many === 0;

host.onPacket = (bytes) => {
  if (packets++ === 0) {
    began = pico.ns;
    due = many > 0 ? began + pairs[0] : Infinity;
  }
  if (bytes.length > 0) writeSync(terminal, bytes);
};
pico.onCycle = () => {
  while (pico.ns >= due) {
    const pin = pairs[2 * next + 1];
    pico.outside ^= 1 << pin;
    // State machines read the channels, and the processor reads the other pins.
    if (pin >= CHANNELS) pico.chip.gpio[pin].setInputValue(((pico.outside >> pin) & 1) === 1);
    next++;
    due = next < many ? began + pairs[2 * next] : Infinity;
  }
};
pico.onPads = (changed, levels, outputs) => {
  if (changed & outputs & 1) driven.push([pico.ns - began, 0, levels & 1]);
};

const listen = () =>
  read(terminal, Buffer.alloc(256), 0, 256, null, (error, length, bytes) => {
    if (error || length === 0) return;
    host.send(bytes.subarray(0, length));
    listen();
  });

process.on("SIGTERM", () => (isOver = true));
host.port.onDeviceConnected = () => {
  console.log("connected");
  listen();
};
while (!isOver) {
  const since = pico.ns - began;
  host.takes = !stalls.some(([from, to]) => since >= from && since < to);
  pico.run(pico.ns + SLICE_NS);
  if (!isTold && next === many && since > pairs[2 * next - 2] + ARRIVES_NS) {
    isTold = true;
    console.log("edges");
  }
  await new Promise((resolve) => setImmediate(resolve));
}
const counted = { ns: pico.ns, since: pico.ns - began, packets, edges: next, stack: pico.stack, driven };
// All at once: what the console has not written yet would be lost.
writeSync(1, `${JSON.stringify(counted)}\n`);
process.exit(0);
