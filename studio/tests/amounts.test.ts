// Amounts: the texts that the command line reads and prints.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../src/amounts/format.ts";
import * as parse from "../src/amounts/parse.ts";
import { random } from "./random.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");
const value = <T>(found: parse.Parsed<T>) => (found.ok ? found.value : found.error);

test("an amount is read in its unit", () => {
  const time = (text: string) => value(parse.duration(text, 0, 1e18));
  assert.deepEqual(["1us", "16.6ms", " 0.3 s ", "2.μs", ".5µs", "7ns", "1.5min", "1h"].map(time), [1e3, 16_600_000, 3e8, 2e3, 500, 7, 9e10, 3.6e12]);
  assert.equal(value(parse.charge("50uC")), 50e3);
  assert.equal(value(parse.batteryLife("90d")), 90 / 365.25);
  assert.equal(value(parse.rate("6/min")), 0.1);
  assert.equal(value(parse.rate(".5 / s")), 0.5);
  assert.equal(value(parse.percent("0.1 %", 0, 100, "1%")), 0.1);
  assert.deepEqual(value(parse.numbers("10, 50,.5", 0, 100, "10,50")), [10, 50, 0.5]);
});

test("what is no amount is refused in one line that states what would be right", () => {
  const wrong: [parse.Parsed<unknown>, RegExp][] = [
    [parse.duration("20", 0, 1e18), /has no unit; write 20us, 20ms or 20s/],
    [parse.duration("20m", 0, 1e18), /unit “m” is unknown/],
    [parse.duration("-1ms", 0, 1e18), /is not a duration/],
    [parse.duration("1e3ms", 0, 1e18), /is not a duration/],
    [parse.duration("0.5ns", 0, 1e18), /finer than 1 ns/],
    [parse.duration("2s", 1, 1e9), /out of range; write 1ns to 1s/],
    [parse.charge("50"), /write a number and one of nC, uC, mC, C/],
    [parse.charge("0uC"), /write one above 0/],
    [parse.batteryLife("1m"), /is not a battery life/],
    [parse.rate("1/y"), /is not a message rate/],
    [parse.rate("1/s/s"), /is not a message rate/],
    [parse.rate("0/s"), /is out of range/],
    [parse.percent("101%", 0, 100, "1%"), /write 0 to 100 %/],
    [parse.whole("1.5", 0, 9), /is not a whole number from 0 to 9/],
    [parse.numbers("1,x", 0, 9, "1,2"), /is not a list of numbers/],
  ];
  for (const [found, message] of wrong) {
    assert.match(String(value(found)), message);
    assert.doesNotMatch(String(value(found)), /\n/);
  }
});

test("a duration survives its text to the nanosecond", () => {
  const next = random(3);
  for (let nth = 0; nth < 5000; nth++) {
    const ns = next.below(10 ** (1 + next.below(13)));
    assert.equal(value(parse.duration(parse.exactTime(ns), 0, 1e13)), ns);
  }
});

test("no text ends in an exception", () => {
  const next = random(4);
  const letters = "0123456789.eE+-/% µμnusmCyd,\u202e\ud800\u0000é";
  for (let nth = 0; nth < 5000; nth++) {
    const text = Array.from({ length: next.below(50) }, () => letters[next.below(letters.length)]).join("");
    for (const read of [parse.charge, parse.batteryLife, parse.rate]) read(text);
    parse.duration(text, 0, 1e18);
    parse.percent(text, 0, 100, "1%");
    parse.numbers(text, 0, 9, "1");
  }
});

test("amounts are written as on the command line", () => {
  const numbers: [number, string][] = [
    [0, "0"], [1, "1.000"], [999.96, "1 000.0"], [1234.5, "1 235"], [-1_234_567, "-1 234 567"],
    [0.00123456, "0.001235"], [1e-9, "0.000000001"], [NaN, "–"], [Infinity, "–"],
  ];
  for (const [given, text] of numbers) assert.equal(plain(format.number(given)), text);
  assert.equal(plain(format.duration(400_000)), "400.0 us");
  assert.equal(plain(format.duration(4_000_000)), "4.000 ms");
  assert.equal(plain(format.percent(0.0005)), "0.050 %");
  assert.equal(plain(format.percent(1)), "100 %");
  assert.equal(plain(format.years(0.1)), "36.52 days");
  assert.equal(format.rate(1 / 60), "1/min");
  assert.equal(format.rate(10), "10/s");
});
