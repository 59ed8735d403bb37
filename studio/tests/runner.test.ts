// The runs of a bench while a knob moves: few messages first, the newest wish, all messages once it rests.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Core } from "../src/core/client.ts";
import { Runner, type Seen } from "../src/packet/bench.ts";
import type { Bench } from "../src/packet/state.ts";

const BENCH: Bench = { link: "nrf24-2m", size: 12, set: {}, count: 1000, seed: 1, phase: "uniform", period: "" };

/** A core that answers when the test says so. */
function desk() {
  const asked: { size: number; count: number; answer: () => void; decline: (message: string) => void }[] = [];
  const seen: Seen[] = [];
  const failed: string[] = [];
  const core = {
    ask(question: { size: number; count: number }, { signal }: { signal?: AbortSignal }) {
      return new Promise((settle, fail) => {
        signal?.addEventListener("abort", () => fail(signal.reason));
        asked.push({
          size: question.size,
          count: question.count,
          answer: () => settle({ answer: {}, runs: [], took_ms: 5 }),
          decline: (message) => fail(new Error(message)),
        });
      });
    },
  } as unknown as Core;
  const runner = new Runner(core, { seen: (one) => seen.push(one), failed: (_, message) => failed.push(message) });
  return { asked, seen, failed, runner };
}

const rest = (ms: number) => new Promise((settle) => setTimeout(settle, ms));

test("few messages are run first, then all", async () => {
  const { asked, seen, runner } = desk();
  runner.want(BENCH);
  assert.deepEqual(asked.map((one) => one.count), [100]);
  asked[0]?.answer();
  await rest(150);
  assert.deepEqual(asked.map((one) => one.count), [100, 1000]);
  asked[1]?.answer();
  await rest(1);
  assert.deepEqual(seen.map((one) => one.whole), [false, true]);
});

test("while a run goes on, only the newest wish is kept", async () => {
  const { asked, seen, runner } = desk();
  for (const size of [12, 13, 14, 15]) runner.want({ ...BENCH, size });
  assert.deepEqual(asked.map((one) => one.size), [12]);
  asked[0]?.answer();
  await rest(1);
  assert.deepEqual(asked.map((one) => one.size), [12, 15]);
  asked[1]?.answer();
  await rest(150);
  assert.deepEqual(asked.map((one) => [one.size, one.count]), [[12, 100], [15, 100], [15, 1000]]);
  assert.deepEqual(seen.map((one) => one.bench.size), [12, 15]);
});

test("all messages are not run while a knob still moves, and are cancelled by the next move", async () => {
  const { asked, seen, failed, runner } = desk();
  runner.want(BENCH);
  asked[0]?.answer();
  await rest(20);
  runner.want({ ...BENCH, size: 13 });
  asked[1]?.answer();
  await rest(150);
  assert.deepEqual(asked.map((one) => [one.size, one.count]), [[12, 100], [13, 100], [13, 1000]]);
  runner.want({ ...BENCH, size: 14 });
  asked[3]?.answer();
  await rest(1);
  assert.deepEqual(seen.map((one) => [one.bench.size, one.whole]), [[12, false], [13, false], [14, false]]);
  assert.deepEqual(failed, []);
  runner.close();
});

test("a declined bench is reported, and the next one runs", async () => {
  const { asked, seen, failed, runner } = desk();
  runner.want(BENCH);
  asked[0]?.decline("no such setting");
  await rest(150);
  assert.deepEqual(failed, ["no such setting"]);
  runner.want({ ...BENCH, size: 13 });
  asked[1]?.answer();
  await rest(1);
  assert.deepEqual(seen.map((one) => one.bench.size), [13]);
  runner.close();
});

test("nothing is reported once the view is closed", async () => {
  const { asked, seen, failed, runner } = desk();
  runner.want(BENCH);
  runner.close();
  asked[0]?.answer();
  await rest(150);
  assert.deepEqual([seen.length, failed.length, asked.length], [0, 0, 1]);
});
