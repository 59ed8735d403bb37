// The core of the page: cancelled questions, traps, and the newest question first.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Core, CoreError, isCancelled, Newest, type Hand } from "../src/core/client.ts";
import type { Job, Report, Start } from "../src/core/protocol.ts";

/** Workers that answer when the test says so. */
class Bench {
  readonly hands: Fake[] = [];
  readonly core = new Core({
    grace_ms: 20,
    worker: () => {
      const hand = new Fake();
      this.hands.push(hand);
      return hand;
    },
    module: async () => ({}) as WebAssembly.Module,
  });

  /** Workers that have a question. */
  get busy(): Fake[] {
    return this.hands.filter((one) => !one.ended && one.jobs.length);
  }
}

class Fake implements Hand {
  onmessage: ((event: MessageEvent<Report>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly jobs: Job[] = [];
  ended = false;

  postMessage(message: Start | Job): void {
    if ("id" in message) this.jobs.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  answer(): void {
    const { id, question } = this.jobs.shift() as Job;
    this.report({ kind: "answered", id, json: question, runs: [], took_ms: 1 });
  }

  report(data: Report): void {
    this.onmessage?.({ data } as MessageEvent<Report>);
  }
}

const question = (link: string) => ({ question: "links", link }) as const;

test("two questions run at once, the third one waits", async () => {
  const { core, hands } = new Bench();
  const replies = ["a", "b", "c"].map((link) => core.ask(question(link)));
  assert.deepEqual(hands.map((one) => one.jobs.length), [1, 1]);
  hands[1]?.answer();
  assert.equal(hands[1]?.jobs.length, 1);
  hands[0]?.answer();
  hands[1]?.answer();
  const links = (await Promise.all(replies)).map((one) => (one.answer as unknown as { link: string }).link);
  assert.deepEqual(links, ["a", "b", "c"]);
});

test("a spare worker takes the question for which the others have no time", async () => {
  const { core, hands } = new Bench();
  void core.ask(question("a"));
  void core.ask(question("b"));
  core.spare();
  core.spare();
  const asked = core.ask(question("c"));
  assert.deepEqual(hands.map((one) => one.jobs.length), [1, 1, 1]);
  hands[2]?.answer();
  await asked;
});

test("a cancelled question that has not begun is dropped", async () => {
  const { core, hands } = new Bench();
  const stop = new AbortController();
  void core.ask(question("a"));
  void core.ask(question("b"));
  const dropped = core.ask(question("c"), { signal: stop.signal });
  stop.abort(new DOMException("", "AbortError"));
  await assert.rejects(dropped, isCancelled);
  hands[0]?.answer();
  assert.equal(hands[0]?.jobs.length, 0);
});

test("a worker with a cancelled question is ended only if another question needs it for longer than a while", async () => {
  const bench = new Bench();
  const newest = new Newest();
  const first = bench.core.ask(question("a"), { signal: newest.begin() });
  const second = bench.core.ask(question("b"), { signal: newest.begin() });
  await assert.rejects(first, isCancelled);
  assert.deepEqual(bench.hands.map((one) => one.ended), [false, false]);
  const third = bench.core.ask(question("c"), { signal: newest.begin() });
  await assert.rejects(second, isCancelled);
  assert.deepEqual(bench.hands.map((one) => one.ended), [false, false]);
  await new Promise((settle) => setTimeout(settle, 60));
  assert.deepEqual(bench.hands.map((one) => one.ended), [true, false, false]);
  bench.hands[2]?.answer();
  assert.equal(((await third).answer as unknown as { link: string }).link, "c");
});

test("the worker of a cancelled lengthy question is ended at once", async () => {
  const { core, hands } = new Bench();
  const stop = new AbortController();
  const cancelled = core.ask(question("a"), { signal: stop.signal, lengthy: true });
  stop.abort(new DOMException("", "AbortError"));
  await assert.rejects(cancelled, isCancelled);
  assert.deepEqual(hands.map((one) => one.ended), [true, false, false]);
});

test("an answer to a cancelled question frees its worker", async () => {
  const { core, hands } = new Bench();
  const stop = new AbortController();
  const cancelled = core.ask(question("a"), { signal: stop.signal });
  stop.abort(new DOMException("", "AbortError"));
  await assert.rejects(cancelled, isCancelled);
  hands[0]?.answer();
  const next = core.ask(question("b"));
  assert.equal(hands[0]?.jobs.length, 1);
  hands[0]?.answer();
  await next;
  assert.equal(hands[0]?.ended, false);
});

test("a declined question is one line, and the worker goes on", async () => {
  const { core, hands } = new Bench();
  const asked = core.ask(question("zz"));
  const { id } = hands[0]?.jobs.shift() as Job;
  hands[0]?.report({ kind: "declined", id, message: "no link `zz`" });
  await assert.rejects(asked, new CoreError("no link `zz`"));
  const next = core.ask(question("a"));
  hands[0]?.answer();
  await next;
});

test("a trap fails its question and replaces the worker", async () => {
  const { core, hands } = new Bench();
  const asked = core.ask(question("a"));
  const { id } = hands[0]?.jobs.shift() as Job;
  hands[0]?.report({ kind: "trapped", id, message: "unreachable" });
  await assert.rejects(asked, /the core stopped and was restarted: unreachable/);
  assert.equal(hands[0]?.ended, true);
  const next = core.ask(question("b"));
  hands.findLast((one) => one.jobs.length)?.answer();
  await next;
});

test("a core that cannot be loaded fails the question, and the next question tries again", async () => {
  let attempts = 0;
  const core = new Core({
    grace_ms: 20,
    worker: () => new Fake(),
    module: async () => {
      attempts++;
      throw new Error("HTTP 404");
    },
  });
  await assert.rejects(core.ask(question("a")), /could not be loaded: HTTP 404/);
  await assert.rejects(core.ask(question("a")), /could not be loaded: HTTP 404/);
  assert.ok(attempts < 10);
});
