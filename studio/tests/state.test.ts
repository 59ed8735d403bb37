// State and address: what is written is read again, and nothing that an address contains ends in an exception.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as state from "../src/state.ts";
import { hostile, random } from "./random.ts";

interface All {
  link: string;
  with: readonly string[];
  size: number;
  rate: number | null;
  deadline: string;
  view: "time" | "distribution";
  on: boolean;
  set: state.Settings;
}

const FIELDS: state.Fields<All> = {
  link: state.name("nrf24-2m"),
  with: state.names(["espnow"], 4),
  size: state.whole(12, 1, 65535),
  rate: state.real(null, 0, 1e6),
  deadline: state.text(""),
  view: state.choice("time", ["time", "distribution"]),
  on: state.flag(),
  set: state.settings(),
};

function anyState(next: ReturnType<typeof random>): All {
  const word = (letters: string, most: number) =>
    Array.from({ length: 1 + next.below(most) }, () => letters[next.below(letters.length)]).join("");
  const name = () => word("abcdefghijklmnopqrstuvwxyz0123456789-", 20);
  const parameter = () => `a${word("bcdefghij_09", 12)}`;
  return {
    link: name(),
    with: [...new Set(Array.from({ length: next.below(5) }, name))],
    size: 1 + next.below(65535),
    rate: next.below(3) ? next.below(1e6) / 1000 : null,
    deadline: next.below(2) ? word("0123456789 µms.&=?#%+/\\\"'<>é😀".replace("😀", ""), 30) : "",
    view: next.below(2) ? "time" : "distribution",
    on: next.below(2) === 1,
    set: Object.fromEntries(Array.from({ length: next.below(6) }, () => [parameter(), word("aZ09.+-_%@:;,", 16)])),
  };
}

test("a state survives its address", () => {
  const next = random(1);
  for (let nth = 0; nth < 5000; nth++) {
    const given = anyState(next);
    const address = state.split(state.write("packet", FIELDS, given));
    const found = state.read(FIELDS, address.texts);
    assert.equal(address.view, "packet");
    assert.deepEqual(found, { state: given, problems: [] });
  }
});

test("the default state has the shortest address", () => {
  const { state: standard } = state.read(FIELDS, new Map());
  assert.equal(state.write("packet", FIELDS, standard), "#/packet");
});

test("a hostile address is read without an exception, and then survives", () => {
  const next = random(2);
  for (let nth = 0; nth < 20000; nth++) {
    const { texts } = state.split(hostile(next, Object.keys(FIELDS)));
    const found = state.read(FIELDS, texts);
    for (const problem of found.problems) assert.doesNotMatch(problem, /\n/);
    const again = state.read(FIELDS, state.split(state.write("packet", FIELDS, found.state)).texts);
    assert.deepEqual(again, { state: found.state, problems: [] });
  }
});

test("an invalid part is dropped with a message, the rest is kept", () => {
  const address = state.split("#/packet?link=NRF&size=0&view=pie&set=rate:250&nonsense=1");
  const { state: found, problems } = state.read(FIELDS, address.texts);
  assert.deepEqual([found.link, found.size, found.view, found.set], ["nrf24-2m", 12, "time", { rate: "250" }]);
  assert.deepEqual(problems, [
    'address: link is "NRF"; it must be a name such as nrf24-2m',
    'address: size is "0"; it must be a whole number from 1 to 65535',
    'address: view is "pie"; it must be time | distribution',
    'address: no field "nonsense"; ignored',
  ]);
});

test("names of prototypes are fields of nobody", () => {
  const { texts } = state.split("#/packet?__proto__=1&constructor=2&set=constructor:3&set=__proto__:4");
  const { state: found, problems } = state.read(FIELDS, texts);
  assert.equal(Object.getPrototypeOf(found), Object.prototype);
  assert.equal(problems.length, 3);
});
