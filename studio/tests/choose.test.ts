// Choosing a radio: the requirement in the address, the passes of a search, and the matrix.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BATTERIES } from "../src/batteries.ts";
import { recommendLine, recommendPython } from "../src/choose/command.ts";
import { addressOf, matrixOf } from "../src/choose/matrix.ts";
import { earlyBudgets_s, reachedOf, search, type Ask, type Pass } from "../src/choose/passes.ts";
import { EMPTY, FIELDS, NAMES, readRequirement, type OptionName, type Recommend, type Requirement } from "../src/choose/requirement.ts";
import type { answers } from "../src/core/questions.ts";
import { read, split, write } from "../src/state.ts";
import { hostile, random } from "./random.ts";

const plain = (text: string | undefined) => text?.replaceAll("\u00a0", " ");

/** Texts that each option accepts. */
const GOOD: Record<OptionName, readonly string[]> = {
  size: ["7", "32", "2048"],
  deadline: ["20ms", "16.6 ms", "1s"],
  percentile: ["99", "99.9%", "50"],
  "max-loss": ["1%", "0.1", "50 %"],
  period: ["200ms", "1.5s", "1us"],
  range: ["30m", "1.5 km"],
  environment: ["home", "free-space"],
  "places-share": ["90%", "50"],
  neighbour: ["wifi:30%@ch6 ble:3", "same-link:5,10m", "802154:10%@ch18;ble:2"],
  region: ["eu", "us"],
  battery: ["CR2032", "500 mAh", "CR2032@-20C"],
  "battery-life": ["1y", "90d"],
  rate: ["1/min", "10 / s"],
  "max-charge": ["50uC", "1mC"],
  processor: ["nrf54l15-cpu", "none"],
  set: ["tx_power=0", "tx_power=-18 idle=power-down"],
  links: ["nrf24-2m espnow", "nrf24-2m,espnow"],
  wired: ["yes"],
  trade: ["yes"],
  budget: ["30s", "100ms"],
  seed: ["1", "9007199254740991"],
};

function anyRequirement(next: ReturnType<typeof random>): Requirement {
  const texts = NAMES.map((option) => {
    const good = GOOD[option];
    return [option, next.below(2) ? (good[next.below(good.length)] ?? "") : ""];
  });
  return Object.fromEntries(texts) as Requirement;
}

test("a requirement survives its address", () => {
  const next = random(11);
  for (let nth = 0; nth < 3000; nth++) {
    const given = anyRequirement(next);
    const found = read(FIELDS, split(write("choose", FIELDS, given)).texts);
    assert.deepEqual(found, { state: given, problems: [] });
  }
});

test("no address ends in an exception, and what is read is written again", () => {
  const next = random(12);
  for (let nth = 0; nth < 5000; nth++) {
    const { state } = read(FIELDS, split(hostile(next, NAMES)).texts);
    readRequirement(state);
    recommendLine(state);
    assert.deepEqual(read(FIELDS, split(write("choose", FIELDS, state)).texts).state, state);
  }
});

test("an invalid option is dropped with a message that states what would be right", () => {
  const { state, problems } = read(FIELDS, split("#/choose?deadline=20m&size=1e9&region=mars&links=a").texts);
  assert.deepEqual([state.deadline, state.size, state.region, state.links], ["", "", "", "a"]);
  assert.match(problems.join("\n"), /size dropped: .*whole number from 7 to 2048\n.*deadline dropped: .*write ns, us, ms, s, min, h or d\n.*region dropped: .*eu or us/);
});

test("the question has the units of the core", () => {
  const given = { ...EMPTY, deadline: "16.6ms", "max-loss": "0.1%", range: "1.5 km", neighbour: "ble:3 wifi:30%@ch6", "battery-life": "1y", rate: "6/min", set: "tx_power=0", wired: "yes" };
  assert.deepEqual(readRequirement(given).question, {
    question: "recommend", size: 128, deadline_ns: 16_600_000, max_loss: 0.001, range: "1.5km",
    neighbours: ["ble:3", "wifi:30%@ch6"], battery_years: 1, per_second: 0.1, settings: { tx_power: "0" }, wired: true,
  });
});

test("an option without another one that it needs is an error of its field", () => {
  const { question, errors } = readRequirement({ ...EMPTY, environment: "home", rate: "1/min" });
  assert.equal(question, undefined);
  assert.deepEqual([...errors.keys()], ["deadline", "environment", "rate"]);
});

test("the command line is quoted where a shell would read more than words", () => {
  const line = recommendLine({ ...EMPTY, deadline: "20 ms", "max-loss": "1", neighbour: "ble:3;wifi:30%@ch6", battery: "$(reboot)", links: "a b", wired: "yes" });
  assert.equal(line, "airlag recommend a b --deadline 20ms --max-loss 1% --neighbour ble:3 --neighbour wifi:30%@ch6 --battery '$(reboot)' --wired");
});

test("the line of Python has the arguments of airlag.recommend", () => {
  const given = { ...EMPTY, deadline: "20 ms", "max-loss": "0.1%", neighbour: "ble:3", battery: 'a"b', set: "tx_power=0", links: "a b", wired: "yes" };
  assert.equal(recommendPython(given),
    'airlag.recommend("20ms", size=128, links=["a", "b"], max_loss=0.001, battery="a\\"b", neighbours=["ble:3"], settings={"tx_power": "0"}, wired=True)');
  assert.equal(recommendPython(EMPTY), "");
});

test("the batteries to choose from are those of links/batteries.toml", () => {
  const listed = readFileSync("../links/batteries.toml", "utf8").matchAll(/^\[(\w+)\]$/gm);
  assert.deepEqual(BATTERIES, [...listed].map(([, name]) => name));
});

const QUESTION: Recommend = { question: "recommend", deadline_ns: 1e6 };
const ended = (complete: boolean, work_s = 1) => ({ answer: { complete, work_s, candidates: [] } as unknown as answers.Recommendation, took_ms: 500 });

/** A core that answers early passes at once, and the whole question when told. */
function core(complete: (budget_s: number) => boolean) {
  let answer: (reply: ReturnType<typeof ended>) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const asked: (number | undefined)[] = [];
  const ask: Ask = (question, signal) => {
    asked.push(question.budget_s);
    if (question.budget_s !== undefined) return Promise.resolve(ended(complete(question.budget_s)));
    return new Promise((settle, reject) => {
      [answer, fail] = [settle, reject];
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  };
  return { ask, asked, answer: () => answer(ended(true)), fail: (error: Error) => fail(error) };
}
const settled = () => new Promise((done) => setTimeout(done, 5));

test("early passes fill the table, and the whole question has the last word", async () => {
  const { ask, asked, answer } = core(() => false);
  const passes: Pass[] = [];
  const done = search(ask, QUESTION, 30, new AbortController().signal, (pass) => passes.push(pass), () => undefined);
  await settled();
  assert.deepEqual(asked, [undefined, 1, 4, 12]);
  answer();
  await done;
  assert.deepEqual(passes.map((pass) => [pass.budget_s, pass.final]), [[1, false], [4, false], [12, false], [30, true]]);
});

test("an early pass that decided everything is the last early one", async () => {
  const { ask, asked, answer } = core((budget_s) => budget_s >= 4);
  const done = search(ask, QUESTION, 30, new AbortController().signal, () => undefined, () => undefined);
  await settled();
  answer();
  await done;
  assert.deepEqual(asked, [undefined, 1, 4]);
});

test("a declined question is reported once, a cancelled one not at all", async () => {
  const declined = core(() => false);
  const failing = search(declined.ask, QUESTION, 1, new AbortController().signal, () => assert.fail("no pass"), () => undefined);
  declined.fail(new Error("no battery"));
  await assert.rejects(failing, /no battery/);

  const stop = new AbortController();
  const passes: Pass[] = [];
  const cancelled = search(core(() => false).ask, QUESTION, 30, stop.signal, (pass) => passes.push(pass), () => undefined);
  stop.abort(new DOMException("", "AbortError"));
  await assert.rejects(cancelled, { name: "AbortError" });
  assert.deepEqual(passes, []);
});

test("a small budget has no early pass", () => {
  assert.deepEqual([0.1, 1, 2, 10, 30].map((budget) => earlyBudgets_s(budget)), [[], [], [1], [1, 4], [1, 4, 12]]);
});

test("progress is the work of the whole search, of at most its budget", async () => {
  const reached: number[] = [];
  const ask: Ask = (_, __, report) => {
    for (const work_s of [1, 7.5]) report?.(work_s);
    return Promise.resolve(ended(true));
  };
  await search(ask, QUESTION, 1, new AbortController().signal, () => undefined, (work_s) => reached.push(work_s));
  assert.deepEqual(reached, [1, 7.5]);
  assert.deepEqual(reachedOf(0, 30, 4), { share: 0, left_s: undefined });
  assert.deepEqual(reachedOf(10, 30, 20), { share: 10 / 30, left_s: 40 });
  assert.deepEqual(reachedOf(31, 30, 20), { share: 1, left_s: 0 });
});

function candidate(link: string, verdict: answers.RecommendVerdict, criteria: Partial<answers.Criterion>[]): answers.Recommended {
  return {
    link, size: 32, settings: { range: "30m", neighbours: "ble:3;wifi:30%@ch6", tx_power: "-18" }, good_practice: true, tuned: true,
    tuned_settings: ["tx_power"], gives_up: [], verdict, reason: "why", floor_ns: null, seen: null, law: null, command: [],
    criteria: criteria.map((one) => ({ verdict: "passes", value: null, limit: null, unit: "", distance: null, reason: "because", ...one }) as answers.Criterion),
  };
}

const ANSWER = {
  task: { size: 32, deadline_ns: 16_600_000, percentile: 99.9, max_loss: 0.001, region: "eu", battery: "CR2032", battery_years: 1, per_second: 1 / 60 },
  contenders: 3, complete: true, work_s: 1,
  candidates: [
    candidate("a", "passes", [
      { name: "deadline", value: 3.269, limit: 16.6, unit: "ms" },
      { name: "law", value: 37, limit: 15 },
      { name: "battery life", value: 0.5, limit: 1, unit: "years", verdict: "fails" },
    ]),
    candidate("b", "undecided", []),
    candidate("c", "fails", [{ name: "deadline", value: 0.0389, limit: 16.6, unit: "ms" }, { name: "charge", value: 2772, limit: 50, unit: "uC" }]),
  ],
} as unknown as answers.Recommendation;

test("the matrix has a column for each requirement and a group for each verdict, best first", () => {
  const { columns, groups } = matrixOf(ANSWER);
  assert.deepEqual(columns.map((one) => [one.title, plain(one.limit)]), [
    ["Latency, p99.9", "at most 16.6 ms"], ["Regulation", undefined], ["Battery life", "at least 1 year"], ["Charge per message", "at most 50 uC"],
  ]);
  assert.deepEqual(groups.map((one) => one.verdict), ["passes", "undecided", "fails"]);
  const cells = groups.map(({ rows }) => rows.map((row) => row.cells.map((cell) => plain(cell?.text))));
  assert.deepEqual(cells, [
    [["3.269 ms", "allowed", "182.6 days", undefined]],
    [[undefined, undefined, undefined, undefined]],
    [["38.90 us", undefined, undefined, "2.772 mC"]],
  ]);
});

test("another view opens with all settings of a candidate", () => {
  const { texts } = split(addressOf("packet", ANSWER.candidates[0] as answers.Recommended));
  assert.deepEqual(texts.get("set"), ["range:30m", "neighbours:ble:3;wifi:30%@ch6", "tx_power:-18"]);
});
