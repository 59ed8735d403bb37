// A capture for charts: ranges of transfers, levels of channels, the visible part, places of findings, the state.

import assert from "node:assert/strict";
import { test } from "node:test";
import { apart } from "../src/capture/distribution.ts";
import { refusal, LARGEST_BYTES, bytes } from "../src/capture/drop.ts";
import { ABSENT, BUSY, columnsOf, extentOf, HIGH, LOW, risesOf } from "../src/capture/edges.ts";
import { printed } from "../src/capture/export.ts";
import { placesOf } from "../src/capture/places.ts";
import { axisOf } from "../src/capture/plot.ts";
import { analyzeLine, analyzeQuestion, channelKey, FIELDS, looking, matchLine, namedSize, visible, type State } from "../src/capture/state.ts";
import { extremesIn, lowerBound, missingIn, transfersOf, within } from "../src/capture/transfers.ts";
import { around, clamped, panned, zoomed, type Span } from "../src/capture/viewport.ts";
import * as state from "../src/state.ts";
import { hostile, random, type Random } from "./random.ts";

const STANDARD = state.read(FIELDS, new Map()).state;

async function anyTransfers(next: Random, n: number) {
  let at = 0;
  const trigger_ns = Float64Array.from({ length: n }, () => (at += 1 + next.below(50)));
  const completion_ns = trigger_ns.map((time) => (next.below(5) ? time + 1 + next.below(1000) : NaN));
  return transfersOf(trigger_ns, completion_ns);
}

test("extremes of a range are those of its latencies", async () => {
  const next = random(2);
  for (const n of [0, 1, 63, 64, 65, 4096, 4097, 20_000]) {
    const transfers = await anyTransfers(next, n);
    for (let nth = 0; nth < 40; nth++) {
      const from = next.below(n + 1);
      const to = from + next.below(n + 1 - from);
      const known = [...transfers.latency_ns.slice(from, to)].filter((one) => !Number.isNaN(one));
      const expected = known.length ? [Math.min(...known), Math.max(...known)] : undefined;
      assert.deepEqual(extremesIn(transfers, from, to), expected, `${n}: ${from} to ${to}`);
      assert.equal(missingIn(transfers, from, to), to - from - known.length);
    }
  }
});

test("transfers of a span are those triggered in it, ends included", async () => {
  const transfers = await anyTransfers(random(3), 1000);
  const next = random(4);
  for (let nth = 0; nth < 200; nth++) {
    const from = next.below(26_000);
    const to = from + next.below(2000);
    const [first, end] = within(transfers, from, to);
    const expected = transfers.trigger_ns.filter((one) => one >= from && one <= to);
    assert.deepEqual(transfers.trigger_ns.slice(first, end), expected);
  }
});

test("a lower bound is where sorting would insert", () => {
  assert.equal(lowerBound([], 3), 0);
  assert.equal(lowerBound([1, 3, 3, 5], 3), 1);
  assert.equal(lowerBound([1, 3, 3, 5], 6), 4);
});

/** Edges with a gap in the recording. */
const EDGES = {
  name: "A",
  change_ns: Float64Array.from([0, 10, 20, 30, 50, 60, 100]),
  level: Int8Array.from([0, 1, 0, -1, 1, 0, -1]),
};

test("each column shows its level, its edges, or that nothing was recorded", () => {
  assert.deepEqual([...columnsOf(EDGES, 1, 9, 2)], [LOW, LOW]);
  assert.deepEqual([...columnsOf(EDGES, 5, 25, 4)], [LOW, BUSY, HIGH, BUSY]);
  assert.deepEqual([...columnsOf(EDGES, 32, 48, 2)], [ABSENT, ABSENT]);
  assert.deepEqual([...columnsOf(EDGES, -20, -10, 2)], [ABSENT, ABSENT]);
  assert.deepEqual([...columnsOf(EDGES, 0, 100, 1)], [BUSY]);
  assert.deepEqual([...columnsOf({ ...EDGES, change_ns: new Float64Array(0), level: new Int8Array(0) }, 0, 1, 1)], [ABSENT]);
});

test("no edge is lost by drawing in columns", () => {
  const next = random(5);
  let at = 0;
  const change_ns = Float64Array.from({ length: 5000 }, () => (at += 1 + next.below(100)));
  const level = Int8Array.from(change_ns, (_, nth) => nth % 2);
  for (let nth = 0; nth < 50; nth++) {
    const from = next.below(at);
    const to = from + 10 + next.below(at);
    const columns = 1 + next.below(400);
    const states = columnsOf({ name: "A", change_ns, level }, from, to, columns);
    for (const change of change_ns) {
      if (change < from || change >= to) continue;
      const column = Math.floor(((change - from) / (to - from)) * columns + 1e-9);
      assert.ok(states[column] === BUSY || states[column - 1] === BUSY, `${change} in ${from} to ${to}`);
    }
  }
});

test("rises are changes from low to high, not the return after a gap", () => {
  assert.deepEqual([...risesOf(EDGES)], [10]);
  assert.deepEqual(extentOf([EDGES]), [0, 100]);
  assert.equal(extentOf([]), undefined);
});

test("the visible part stays within the whole, whatever moves it", () => {
  const next = random(6);
  const whole: Span = { from: -500, to: 1e12 };
  let span = whole;
  for (let nth = 0; nth < 20_000; nth++) {
    const any = next.below(2e6) - 1e6;
    const [kind] = [next.below(4)];
    if (kind === 0) span = zoomed(span, 2 ** (next.below(40) - 20), any, whole);
    else if (kind === 1) span = panned(span, next.below(200) / 10 - 10, whole);
    else if (kind === 2) span = around(any, any + next.below(100), whole);
    else span = clamped({ from: any, to: next.below(9) ? any + next.below(1e6) : NaN }, whole);
    assert.ok(span.from >= whole.from - 1e-3 && span.to <= whole.to + 1e-3, JSON.stringify(span));
    assert.ok(span.to - span.from >= 19.99, JSON.stringify(span));
  }
});

test("zoom keeps the instant below the pointer", () => {
  const whole = { from: 0, to: 1e9 };
  const span = zoomed({ from: 1e8, to: 3e8 }, 0.5, 1.5e8, whole);
  assert.deepEqual(span, { from: 1.25e8, to: 2.25e8 });
});

test("the unit of the axis suits the span, and its origin keeps ticks short", () => {
  assert.deepEqual(axisOf({ from: 0, to: 5e9 }), { unit: { name: "s", size: 1e9 }, origin: 0 });
  assert.deepEqual(axisOf({ from: 12.3456e9, to: 12.3456e9 + 2000 }), { unit: { name: "us", size: 1e3 }, origin: 12.345e9 });
});

const finding = (name: string, evidence: object) => ({ name, evidence, message: "", advice: "" }) as Parameters<typeof placesOf>[0];

test("places of findings are transfers and edges that exist", async () => {
  const transfers = await transfersOf(Float64Array.from([10, 20, 30, 40]), Float64Array.from([12, NaN, 33, NaN]));
  const at = (name: string, evidence: object, channels: Parameters<typeof placesOf>[2] = []) => placesOf(finding(name, evidence), transfers, channels);
  assert.deepEqual(at("lost-transfers", { count: 1, indices: [1] }).instants_ns, [20]);
  assert.deepEqual(at("lost-transfers", { count: 2, indices: [1] }).instants_ns, [20, 40]);
  assert.deepEqual(at("lost-transfers", { count: 1, indices: [1], dead_from: 2 }).spans_ns, [[30, 40]]);
  assert.deepEqual(at("censored-end", { indices: [3, 99] }).instants_ns, [40]);
  assert.deepEqual(at("warm-up", { count: 2 }).spans_ns, [[10, 20]]);
  assert.deepEqual(at("index-pattern", { every: 2, offset: 1 }).instants_ns, [20, 40]);
  assert.deepEqual(at("trend", { at_index: 2 }).instants_ns, [30]);
  assert.deepEqual(at("own-period", { period_ns: 3 }).words, "");
  const trigger = { name: "A", change_ns: Float64Array.from([0, 10, 11, 15, 16, 20, 21]), level: Int8Array.from([0, 1, 0, 1, 0, 1, 0]) };
  assert.deepEqual(at("trigger-glitch", { count: 1 }, [trigger]).instants_ns, [15]);
  assert.deepEqual(at("trigger-glitch", { count: 1 }).instants_ns, []);
});

test("a state survives its address, and hostile addresses become a state", () => {
  const next = random(7);
  const given: State = {
    trigger: "Ch 0 µ", completion: "1", invert: ["a b", "1"], minlow: "2us", overlap: "20 ms", deadline: "5ms",
    column: "rtt", unit: "us", scale: "log", from: -5, to: 1_000_000_000,
  };
  const address = state.split(state.write("capture", FIELDS, given));
  assert.deepEqual(state.read(FIELDS, address.texts), { state: given, problems: [] });
  for (let nth = 0; nth < 3000; nth++) {
    const { texts } = state.split(hostile(next, Object.keys(FIELDS)));
    const { state: read } = state.read(FIELDS, texts);
    assert.equal(typeof JSON.stringify(analyzeQuestion(read, "x.csv")), "string");
    const again = state.split(state.write("capture", FIELDS, read));
    assert.deepEqual(state.read(FIELDS, again.texts).state, read);
  }
});

test("the question has the options of the command line", () => {
  assert.deepEqual(analyzeQuestion(STANDARD, "x.csv"), { question: "analyze", source: "x.csv" });
  const chosen = { ...STANDARD, trigger: "B", completion: "A", invert: ["A"], minlow: "2us", overlap: "0ns", deadline: "5ms" };
  assert.deepEqual(analyzeQuestion(chosen, "x.csv"), {
    question: "analyze", source: "x.csv", min_low_ns: 2000, trigger: "B", completion: "A", invert: ["A"], deadline_ns: 5e6,
  });
  assert.equal(analyzeLine({ ...chosen, trigger: "Channel 1", overlap: "20 ms" }, "-x.csv"),
    "airlag analyze ./-x.csv --trigger 'Channel 1' --completion A --invert A --min-low 2us --overlap 20ms --deadline 5ms --json");
  assert.equal(matchLine(STANDARD, "it's.csv", 12), "airlag match 'it'\\''s.csv' --size 12");
});

test("a payload in the file name is suggested", () => {
  const known: readonly (readonly [string, number | null])[] = [
    ["run-128B.csv", 128], ["12B.csv", 12], ["packet-size-logs__1024B-500ms.sal", 1024], ["460800-12B.csv", 12], ["v2Bus.csv", null], ["0B.csv", null], ["", null],
  ];
  for (const [name, size] of known) assert.equal(namedSize(name), size, name);
});

test("a channel is chosen by name where the name is safe, else by index", () => {
  assert.equal(channelKey("SCL", 1, ["SDA", "SCL"]), "SCL");
  assert.equal(channelKey("SCL", 1, ["SCL", "SCL"]), "1");
  assert.equal(channelKey("0", 1, ["1", "0"]), "1");
  assert.equal(channelKey("a\nb", 2, ["a\nb"]), "2");
});

test("files that cannot be read are refused in one line", () => {
  assert.match(refusal({ name: "", size: 0 }) ?? "", /^file without a name: is empty;/);
  assert.match(refusal({ name: "big.csv", size: 3 * 1024 ** 3 }) ?? "", /^big\.csv: has 3\.2.GB; this page reads up to 1\.1.GB;/);
  assert.equal(refusal({ name: "x", size: LARGEST_BYTES }), undefined);
  assert.equal(bytes(999), "999\u00a0B");
  assert.equal(bytes(83_900), "83.9\u00a0kB");
});

test("an answer is printed as a list of one, whatever its text contains", () => {
  const value = [{ name: "a\u2028b", list: [1, 2.5], none: {} }];
  assert.equal(printed(JSON.stringify(value[0], null, 2)), `${JSON.stringify(value, null, 2)}\n`);
});

test("names of quantiles do not overlap, and stay within the chart", () => {
  assert.deepEqual(apart([10, 100, 200], 300), [10, 100, 200]);
  assert.deepEqual(apart([10, 12, 14], 300), [10, 38, 66]);
  assert.deepEqual(apart([250, 298, 299], 300), [244, 272, 300]);
});

test("the visible part is kept to the nanosecond, and an empty one is everything", () => {
  assert.equal(visible(STANDARD), undefined);
  const part = { from: 1_500.25, to: 1_600.5 };
  assert.deepEqual(visible(looking(STANDARD, part)), { from: 1_500, to: 1_601 });
  assert.deepEqual(looking(looking(STANDARD, part), undefined), STANDARD);
  assert.equal(visible({ ...STANDARD, from: 7, to: 7 }), undefined);
});
