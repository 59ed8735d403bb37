// What the charts of a packet are made of: messages, bins, slices with names, boards, sliders, command lines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { linear, logarithmic, roundValues } from "../src/charts/scale.ts";
import { settingsOf } from "../src/packet/advice.ts";
import { lanesOf, triggerOf } from "../src/packet/boards.ts";
import { commandLine, comparedLine, pythonLine } from "../src/packet/commands.ts";
import { around, binned, messagesOf, nearest } from "../src/packet/series.ts";
import { realNames, settingText, STEPS, travel } from "../src/packet/slider.ts";
import { placedNames, sliceAt, slicesOf } from "../src/packet/slices.ts";
import type { Bench } from "../src/packet/state.ts";
import { random } from "./random.ts";

test("a lost message has no point, and is not forgotten", () => {
  const { points, missing, end_s } = messagesOf([0, 2e9, 4e9], [5000, NaN, 4e9 + 7000]);
  assert.deepEqual(points, [[0, 5000, 0], [4, 7000, 2]]);
  assert.deepEqual(nearest(points, (s) => s * 10, (ns) => ns / 100, 41, 69, 5), [4, 7000, 2]);
  assert.equal(nearest(points, (s) => s * 10, (ns) => ns / 100, 20, 69, 5), undefined);
  assert.deepEqual(missing, [2]);
  assert.equal(end_s, 4);
});

test("every value between the edges is in one bin", () => {
  const next = random(3);
  for (let nth = 0; nth < 300; nth++) {
    const edges = [...new Set(Array.from({ length: 2 + next.below(40) }, () => next.below(1000)))].sort((a, b) => a - b);
    if (edges.length < 2) continue;
    const values = Array.from({ length: 200 }, () => next.below(1000));
    const counts = binned(values, edges);
    const within = values.filter((one) => one >= (edges[0] as number) && one <= (edges.at(-1) as number));
    assert.equal(counts.reduce((sum, one) => sum + one, 0), within.length);
    counts.forEach((n, at) => {
      const [low, high] = [edges[at] as number, edges[at + 1] as number];
      const last = at === counts.length - 1;
      assert.equal(n, values.filter((one) => one >= low && (one < high || (last && one === high))).length);
    });
  }
});

test("an axis has its values within, also one value, and none", () => {
  assert.deepEqual(around([], 0.1), [0, 1]);
  const [low, high] = around([5], 0.1);
  assert.ok(low < 5 && high > 5);
  assert.equal(around([0, 10], 0.5)[0], 0);
});

test("a scale and its inverse agree, and its ticks are within", () => {
  const next = random(4);
  for (let nth = 0; nth < 2000; nth++) {
    const low = next.below(1e6) / 1000 + 0.001;
    const domain = [low, low * (1.001 + next.below(1e6) / 10)] as const;
    for (const scale of [linear(domain, [300, 20]), logarithmic(domain, [300, 20])]) {
      const value = domain[0] + (domain[1] - domain[0]) * (next.below(1000) / 1000);
      assert.ok(Math.abs(scale.invert(scale(value)) / value - 1) < 1e-6);
      const ticks = scale.ticks(5);
      assert.ok(ticks.length <= 16);
      for (const tick of ticks) assert.ok(tick >= domain[0] * 0.99 && tick <= domain[1] * 1.01, `${tick} in ${domain}`);
    }
  }
  assert.deepEqual(roundValues(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
});

test("slices follow each other, and a pointer finds them", () => {
  const slices = slicesOf([{ name: "a", class: "work", ns: 10 }, { name: "b", class: "medium", ns: 5 }]);
  assert.deepEqual(slices.map(({ begin_ns, end_ns }) => [begin_ns, end_ns]), [[0, 10], [10, 15]]);
  assert.deepEqual([-1, 0, 9, 10, 14, 99].map((ns) => sliceAt(slices, ns)), [0, 0, 0, 1, 1, 1]);
});

test("names of slices do not collide, and none leaves the picture", () => {
  const next = random(5);
  for (let nth = 0; nth < 500; nth++) {
    const parts = Array.from({ length: 1 + next.below(60) }, () => ({ name: `n${next.below(20)}`, class: "work" as const, ns: next.below(2000) }));
    const slices = slicesOf(parts);
    const end = slices.at(-1)?.end_ns ?? 0;
    const names = placedNames(slices, (ns) => (ns / Math.max(end, 1)) * 600, 610, (text) => text.length * 6);
    assert.equal(new Set(names.filter((one) => !one.inside).map((one) => one.text)).size, names.filter((one) => !one.inside).length);
    const oblique = names.filter((one) => !one.inside).map((one) => one.at);
    oblique.slice(1).forEach((at, before) => assert.ok(at - (oblique[before] as number) >= 17.999));
    for (const { at } of names) assert.ok(at <= 610);
  }
});

test("the boards show what overlaps the packet, and an interrupt at the trigger belongs to the bench", () => {
  const run = {
    tracks: ["sender", "air", "receiver"],
    slices: ["interrupt", "air", "listen"],
    arrays: {
      trigger_ns: Float64Array.of(100, 1000, 2000), completion_ns: Float64Array.of(300, NaN, 2500),
      track: Float64Array.of(0, 1, 0, 1, 2, 2), slice: Float64Array.of(0, 1, 0, 1, 0, 2),
      begin_ns: Float64Array.of(100, 150, 2000, 2100, 2400, 0), end_ns: Float64Array.of(120, 250, 2050, 2300, 2600, 9000),
    },
  };
  const items = [
    { name: "interrupt", class: "fixture" }, { name: "interrupt", class: "work" }, { name: "air", class: "medium" },
  ].map((one) => ({ ...one, total_ns: 0, mean_ns: 0, p50_ns: 0, p99_ns: 0 })) as Parameters<typeof lanesOf>[2];
  assert.equal(triggerOf(run.arrays.completion_ns, 1), 2);
  assert.equal(triggerOf(run.arrays.completion_ns, 2), -1);
  const lanes = lanesOf(run, 2, items);
  assert.deepEqual(lanes.map(({ name, activities }) => [name, ...activities.map((one) => [one.name, one.kind, one.begin_ns, one.end_ns])]), [
    ["sender", ["interrupt", "fixture", 0, 50]],
    ["air", ["air", "medium", 100, 300]],
    ["receiver", ["listen", null, 0, 500], ["interrupt", "work", 400, 500]],
  ]);
  assert.deepEqual(lanesOf(run, 1, items), []);
});

test("a slider reaches its ends, is monotonic, and stays within the bounds", () => {
  const next = random(6);
  for (let nth = 0; nth < 1000; nth++) {
    const whole = next.below(2) === 1;
    const least = [0, 0, 1, 250, -100, -200000, 137000000][next.below(7)] as number;
    const most = least + ([1, 8, 15, 125, 4000, 1e6, 1e12][next.below(7)] as number);
    const published = least + (next.below(3) ? (most - least) * 10 ** -next.below(9) : 0);
    const way = travel([least, most], whole ? Math.round(published) : published, whole);
    let before = -Infinity;
    for (let position = 0; position <= STEPS; position += 1 + next.below(20)) {
      const value = way.value(position);
      assert.ok(value >= before && value >= least && value <= most, `${value} in ${least} to ${most}`);
      before = value;
      const again = way.position(value);
      assert.ok(again >= 0 && again <= STEPS);
    }
  }
});

test("a setting is plain decimal text", () => {
  assert.deepEqual([5, 0.05, 1e-7, 1e12, -3].map(settingText), ["5", "0.05", "0.0000001", "1000000000000", "-3"]);
});

test("a real number is known by its text", () => {
  const json = '{\n "rate": {\n  "value": "2000",\n }, "frame_loss": {\n  "value": 0.0,\n }, "window": {\n  "value": 1,\n }, "tiny": {\n "value": 1e-7,\n }';
  assert.deepEqual([...realNames(json)], ["frame_loss", "tiny"]);
});

test("advice names its settings", () => {
  assert.deepEqual(settingsOf("--set payload=dynamic --set connection_interval=7.5ms"), { payload: "dynamic", connection_interval: "7.5ms" });
  assert.deepEqual(settingsOf("--phase aligned --offset 3ms"), {});
});

test("the command line and the Python line have exactly what differs", () => {
  const bench: Bench = { link: "nrf24-2m", size: 12, set: {}, count: 1000, seed: 1, phase: "uniform", period: "" };
  assert.equal(commandLine(bench), "airlag run nrf24-2m --size 12");
  assert.equal(pythonLine(bench), 'airlag.run("nrf24-2m", size=12)');
  const other: Bench = { ...bench, size: null, set: { neighbours: "wifi:30%@ch6;ble:3" }, count: 200, seed: 7, phase: "frozen", period: "5ms" };
  assert.equal(commandLine(other), "airlag run nrf24-2m --set 'neighbours=wifi:30%@ch6;ble:3' --count 200 --period 5ms --phase frozen --seed 7");
  assert.equal(comparedLine(bench, { ...bench, seed: 2 }), "airlag run nrf24-2m --size 12 -o a.parquet && airlag run nrf24-2m --size 12 --seed 2 -o b.parquet && airlag compare a.parquet b.parquet");
  assert.equal(pythonLine(other), 'airlag.run("nrf24-2m", count=200, period="5ms", phase="frozen", seed=7, settings={"neighbours": "wifi:30%@ch6;ble:3"})');
});
