// Load: the state in the address, the questions, and answers as curves.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { answers } from "../src/core/questions.ts";
import { overloadLabel } from "../src/load/chart.ts";
import { curveOf, logDomain, shareTop, wordsOf } from "../src/load/series.ts";
import { ARRIVALS, FIELDS, loadLine, loadPython, loadQuestion, loadsOf, rateQuestion, REGIONS, shownLink, type State } from "../src/load/state.ts";
import { read, split, write } from "../src/state.ts";
import { hostile, random } from "./random.ts";

const STANDARD = read(FIELDS, new Map()).state;

function anyState(next: ReturnType<typeof random>): State {
  const links = ["nrf24-2m", "espnow", "lora-sf7-250k", "ble-nus-notify", "thread-up"];
  const pick = <T>(all: readonly T[]) => all[next.below(all.length)] as T;
  return {
    link: [...new Set(Array.from({ length: 1 + next.below(4) }, () => pick(links)))],
    size: 1 + next.below(65535),
    set: next.below(2) ? { tx_power: String(next.below(20) - 18), neighbours: "wifi:30%@ch6;ble:3" } : {},
    loads: pick(["", "10,50", "0.5", "1, 2.25, 300"]),
    queue: 1 + next.below(1000),
    arrivals: pick(ARRIVALS),
    count: 100 + next.below(1000),
    seed: next.below(2 ** 31),
    of: pick(["", ...links]),
    rate: pick(["1/s", "6/min", "0.5/h"]),
    region: pick(REGIONS),
    battery: pick(["CR2032", "2xAA", "500mAh", "AA@-20C"]),
  };
}

test("a state survives its address", () => {
  const next = random(21);
  for (let nth = 0; nth < 3000; nth++) {
    const given = anyState(next);
    assert.deepEqual(read(FIELDS, split(write("load", FIELDS, given)).texts), { state: given, problems: [] });
  }
  assert.equal(write("load", FIELDS, STANDARD), "#/load");
});

test("no address ends in an exception, and every state has its questions", () => {
  const next = random(22);
  for (let nth = 0; nth < 5000; nth++) {
    const { state } = read(FIELDS, split(hostile(next, Object.keys(FIELDS))).texts);
    const link = shownLink(state);
    loadLine(state);
    if (link === undefined) continue;
    const { rates_kbps = [] } = loadQuestion(state, link);
    assert.ok(rates_kbps.length <= 40 && rates_kbps.every((kbps) => kbps > 0));
    const { period_ns, count = 0 } = rateQuestion(state, link);
    assert.ok(Number.isInteger(period_ns) && Number.isInteger(count) && count >= 20 && count <= 200);
    assert.ok((period_ns as number) <= 60e9);
  }
});

test("offered loads are sorted numbers, each once", () => {
  assert.deepEqual(loadsOf("50, 10,50"), { ok: true, value: [10, 50] });
  for (const text of ["0", "-1", "1e3", "x", "1,,2", Array(41).fill(0).map((_, at) => at + 1).join()]) assert.equal(loadsOf(text).ok, false, text);
});

test("the command line has what differs from its defaults, quoted", () => {
  const state = { ...STANDARD, link: ["a", "b"], size: 128, loads: "50,10", set: { neighbours: "ble:3;wifi:30%@ch6" } };
  assert.equal(loadLine(state), "airlag load a b --rate 10,50 --set 'neighbours=ble:3;wifi:30%@ch6'");
  assert.equal(loadPython(state), '[airlag.offered_load(link, size=128, rates_kbps=[10, 50], settings={"neighbours": "ble:3;wifi:30%@ch6"}) for link in ["a", "b"]]');
});

test("a lower rate than one per minute is simulated at that, and counts for the battery", () => {
  const question = rateQuestion({ ...STANDARD, rate: "1/h" }, "espnow");
  assert.deepEqual([question.period_ns, question.count, question.per_second], [60e9, 20, 1 / 3600]);
  const fast = rateQuestion({ ...STANDARD, rate: "50/s" }, "espnow");
  assert.deepEqual([fast.period_ns, fast.count], [2e7, 200]);
});

function load(points: Partial<answers.LoadPoint>[], knee_kbps: number | null): answers.Load {
  return { link: "a", goodput_kbps: 100, ceiling_kbps: null, knee_kbps, points } as unknown as answers.Load;
}
const point = (offered_kbps: number, lost: number, refused: number, p50: number | null) =>
  ({ offered_kbps, goodput_kbps: offered_kbps, offered: 1000, lost, refused, queue_mean: 0, latency_ns: p50 === null ? null : { p50, p99: 2 * p50 } }) as unknown as answers.LoadPoint;

test("a load above the knee is overloaded, and what did not arrive has no latency", () => {
  const curve = curveOf(load([point(50, 0, 0, 1e6), point(90, 5, 0, 2e6), point(200, 1000, 700, null)], 95), 1);
  assert.deepEqual(curve.places.map((one) => one.overloaded), [false, false, true]);
  assert.deepEqual(curve.places.map((one) => [one.p50_ns, one.p99_ns, one.lost, one.refused]), [
    [1e6, 2e6, 0, 0], [2e6, 4e6, 0.005, 0], [undefined, undefined, 1, 0.7],
  ]);
  assert.equal(wordsOf(curve, (kbps) => `${kbps} kbit/s`), "saturated goodput 100 kbit/s · carries up to 95 kbit/s, overloaded above");
  assert.match(wordsOf(curveOf(load([point(50, 0, 0, 1)], null), 0), String), /carries every load shown, up to 50/);
});

test("an axis contains its values with room, whatever they are", () => {
  const next = random(23);
  for (let nth = 0; nth < 2000; nth++) {
    const values = Array.from({ length: next.below(6) }, () => [undefined, 0, -1, NaN, Infinity, next.below(1e9) / 1e3][next.below(6)]);
    const [low, high] = logDomain(values);
    assert.ok(low > 0 && high / low >= 9.99 && Number.isFinite(high));
    for (const value of values) if (value !== undefined && value > 0 && Number.isFinite(value)) assert.ok(low < value && value < high);
  }
  const lossy = curveOf(load([point(1, 15, 0, 1)], null), 0);
  assert.deepEqual([shareTop([]), shareTop([lossy]), shareTop([curveOf(load([point(1, 900, 0, 1)], null), 0)])], [0.01, 0.02, 1]);
});

test("the name of an overload stays within the picture", () => {
  const width = (text: string) => 6 * text.length;
  assert.deepEqual(overloadLabel("espnow", 40, 400, width), { text: "espnow overloaded ›", before: false });
  assert.deepEqual(overloadLabel("espnow", 390, 400, width), { text: "espnow overloaded from here ›", before: true });
  assert.deepEqual(overloadLabel("ble-nimble-connparams-notify", 180, 320, width), { text: "overloaded ›", before: false });
  for (let x = 0; x <= 300; x++) {
    const { text, before } = overloadLabel("ble-nimble-connparams-notify", x, 300, width);
    assert.ok(before ? x - 8 - width(text) >= 0 : x + 8 + width(text) <= 300);
  }
});
