// A capture in a worker of its own: one question at a time, cancelled ones, traps, and the file opened anew.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Core, CoreError, isCancelled, type Hand } from "../src/core/client.ts";
import type { Job, Open, Report, Start } from "../src/core/protocol.ts";

class Fake implements Hand {
  onmessage: ((event: MessageEvent<Report>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly jobs: Job[] = [];
  readonly files: File[] = [];
  ended = false;

  postMessage(message: Start | Open | Job): void {
    if ("id" in message) this.jobs.push(message);
    if ("file" in message) this.files.push(message.file);
  }

  terminate(): void {
    this.ended = true;
  }

  report(report: Report): void {
    this.onmessage?.({ data: report } as MessageEvent<Report>);
  }

  answer(at = this.jobs.length - 1): void {
    this.report({ kind: "answered", id: this.jobs[at]?.id ?? -1, json: "{}", runs: [], took_ms: 1 });
  }
}

function bench() {
  const hands: Fake[] = [];
  const core = new Core({
    grace_ms: 5,
    worker: () => {
      const hand = new Fake();
      hands.push(hand);
      return hand;
    },
    module: async () => ({}) as WebAssembly.Module,
  });
  const capture = core.capture();
  capture.open(new File(["x"], "x.csv"));
  const present = () => hands.findLast((one) => !one.ended) as Fake;
  return { capture, hands, present };
}

const QUESTION = { question: "channels", source: "x.csv" } as const;

test("one question at a time, in their order", async () => {
  const { capture, present } = bench();
  const first = capture.ask(QUESTION);
  const second = capture.ask(QUESTION);
  assert.equal(present().jobs.length, 1);
  present().answer();
  await first;
  assert.equal(present().jobs.length, 2);
  present().answer();
  await second;
  assert.deepEqual(present().files.map((one) => one.name), ["x.csv"]);
});

test("a file that the core declines is the error of each question", async () => {
  const { capture, present } = bench();
  for (let nth = 0; nth < 2; nth++) {
    const asked = capture.ask(QUESTION);
    present().report({ kind: "declined", id: present().jobs.at(-1)?.id ?? -1, message: "x.csv: unknown capture format" });
    await assert.rejects(asked, (error) => error instanceof CoreError && error.message === "x.csv: unknown capture format");
  }
});

test("a cancelled lengthy question ends its worker, and the next one opens the file anew", async () => {
  const { capture, hands, present } = bench();
  const cancel = new AbortController();
  const lengthy = capture.ask(QUESTION, { signal: cancel.signal, lengthy: true });
  const old = present();
  cancel.abort(new DOMException("cancelled", "AbortError"));
  await assert.rejects(lengthy, isCancelled);
  assert.ok(old.ended);
  const next = capture.ask(QUESTION);
  assert.equal(hands.length, 2);
  assert.equal(present().files.length, 1);
  // A late report of the old worker changes nothing.
  old.answer();
  present().answer();
  await next;
});

test("a cancelled short question has a while to end by itself", async () => {
  const { capture, hands, present } = bench();
  const cancel = new AbortController();
  const short = capture.ask(QUESTION, { signal: cancel.signal });
  const next = capture.ask(QUESTION);
  cancel.abort(new DOMException("cancelled", "AbortError"));
  await assert.rejects(short, isCancelled);
  present().answer();
  present().answer();
  await next;
  await new Promise((settle) => setTimeout(settle, 20));
  assert.equal(hands.length, 1);
});

test("after a trap the file is opened in another worker", async () => {
  const { capture, hands, present } = bench();
  const asked = capture.ask(QUESTION);
  const next = capture.ask(QUESTION);
  present().report({ kind: "trapped", id: 0, message: "unreachable" });
  await assert.rejects(asked, /^CoreError: x\.csv: the core stopped and was restarted: unreachable$/);
  assert.equal(hands.length, 2);
  assert.equal(present().files.length, 1);
  present().answer();
  await next;
});

test("progress is that of the question, until it is cancelled", async () => {
  const { capture, present } = bench();
  const steps: number[] = [];
  const cancel = new AbortController();
  const asked = capture.ask(QUESTION, { signal: cancel.signal, progress: (done) => steps.push(done) });
  const id = present().jobs[0]?.id ?? -1;
  const hand = present();
  hand.report({ kind: "progressed", id, done: 3, of: 10 });
  hand.report({ kind: "progressed", id: id + 1, done: 4, of: 10 });
  cancel.abort(new DOMException("cancelled", "AbortError"));
  hand.report({ kind: "progressed", id, done: 5, of: 10 });
  await assert.rejects(asked, isCancelled);
  assert.deepEqual(steps, [3]);
});

test("a closed capture cancels its questions and frees its worker", async () => {
  const { capture, hands } = bench();
  const asked = [capture.ask(QUESTION), capture.ask(QUESTION)];
  capture.close();
  for (const one of asked) await assert.rejects(one, isCancelled);
  assert.ok(hands.every((one) => one.ended));
});
