// Explanations: the table of descriptions, amounts within sentences, and the place on the screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GAP, placeBeside } from "../src/explain/beside.ts";
import { amountsIn } from "../src/explain/explanation.ts";
import * as descriptions from "../src/generated/descriptions.ts";
import * as glossary from "../src/generated/glossary.ts";
import { random } from "./random.ts";

const texts: Readonly<Record<string, string>> = descriptions;

test("each described field of a schema has its text, once", () => {
  const { $defs } = JSON.parse(readFileSync("../docs/schemas/common.schema.json", "utf8")) as {
    $defs: Record<string, { description?: string; properties?: Record<string, { description?: string }> }>;
  };
  const names = Object.entries($defs).flatMap(([type, { description, properties = {} }]) => [
    ...(description ? [type] : []),
    ...Object.entries(properties).flatMap(([field, one]) => (one.description ? [`${type}_${field.replaceAll(".", "_")}`] : [])),
  ]);
  assert.ok(names.length > 1000);
  assert.deepEqual([...new Set(names)].sort(), Object.keys(texts).sort());
  assert.equal(texts["Latency_p99_9"], $defs["Latency"]?.properties?.["p99.9"]?.description);
  for (const [name, text] of Object.entries(texts)) assert.doesNotMatch(text, /[`\n]|\]\(/, name);
});

test("terms are those of the glossary", () => {
  const terms = Object.values(glossary);
  const rows = readFileSync("../docs/glossary.md", "utf8").split("\n").filter((line) => /^\| (?!term|---)/.test(line));
  assert.equal(terms.length, rows.filter((line) => !line.startsWith("|---")).length);
  assert.match(glossary.delivery_ratio.meaning, /outcome is known/);
});

test("amounts of a sentence are found, and names are left alone", () => {
  const found = (text: string) => amountsIn(text).filter((one) => one.amount).map((one) => one.text);
  assert.deepEqual(found("p99 4.202 → 1.886 ms (-55 %), p50 1.885 ms as before"), ["4.202 → 1.886 ms", "-55 %", "1.885 ms"]);
  assert.deepEqual(found("--set window=2 on nrf24-2m, 6 of 400 triggers"), []);
  assert.deepEqual(found("95 % interval 0.69 % to 3.23 %"), ["95 %", "0.69 %", "3.23 %"]);
  assert.deepEqual(found("annex, 869.4-869.65 MHz; 2006/771/EC"), ["869.4-869.65 MHz"]);
  assert.deepEqual(found("1\u00a0000 B every 200\u00a0ms"), ["1\u00a0000 B", "200\u00a0ms"]);
  const next = random(3);
  for (let nth = 0; nth < 500; nth++) {
    const text = Array.from({ length: 12 }, () => "0159. ,-–→%msB="[next.below(15)]).join("");
    assert.equal(amountsIn(text).map((one) => one.text).join(""), text);
  }
});

test("an explanation is within the window, and beside its number where there is room", () => {
  const next = random(5);
  for (let nth = 0; nth < 5000; nth++) {
    const window = { width: 320 + next.below(2000), height: 480 + next.below(1000) };
    const size = { width: Math.min(430, window.width - 2 * GAP), height: 40 + next.below(Math.floor(window.height * 0.7)) };
    const number = { left: next.below(window.width), top: next.below(window.height), width: 60, height: 18 };
    const { left, top } = placeBeside(number, size, window);
    assert.ok(left >= GAP && left + size.width <= window.width);
    assert.ok(top >= GAP && top + size.height <= window.height);
    const room = Math.max(window.height - number.top - number.height, number.top) >= size.height + 3 * GAP;
    if (room) assert.ok(top >= number.top + number.height || top + size.height <= number.top, "the number stays visible");
  }
});
