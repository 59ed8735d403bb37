// Tables and panels of reports.

import { strict as assert } from "node:assert";
import { test } from "node:test";
import { fieldsOf, rowsOf } from "../src/report/csv.ts";
import { panelsOf } from "../src/report/panels.ts";

test("a table is read as Python writes it", () => {
  const text = 'x,r,text\n1.5,0,plain\n,1,"a, ""b""\nc"\n';
  assert.deepEqual(fieldsOf(text), [["x", "r", "text"], ["1.5", "0", "plain"], ["", "1", 'a, "b"\nc']]);
  assert.deepEqual(rowsOf(text, { x: "number", r: "number", text: "string" }), [
    { x: 1.5, r: 0, text: "plain" },
    { x: null, r: 1, text: 'a, "b"\nc' },
  ]);
  assert.deepEqual(rowsOf("x,y\n", { x: "number", y: "number" }), []);
});

test("a damaged table is an error", () => {
  assert.throws(() => fieldsOf('x\n"open'), /damaged/);
});

test("panels have their own tables, titles and runs, and one legend", () => {
  const layer = (name: string) => ({ data: { name }, encoding: { color: { field: "run", legend: { orient: "bottom" } } } });
  const spec = {
    $schema: "…", datasets: { a: "x\n1\n", b: "x\n2\n" }, usermeta: { panels: [4, 7] },
    vconcat: [{ title: { text: ["one", "run"] }, ...layer("a") }, layer("b")],
  };
  const [first, last] = panelsOf(spec);
  assert.deepEqual([first?.title, first?.run, last?.title, last?.run], ["one run", 4, "", 7]);
  assert.deepEqual([Object.keys(first?.spec["datasets"]), Object.keys(last?.spec["datasets"])], [["a"], ["b"]]);
  assert.equal(first?.spec["encoding"].color.legend, null);
  assert.deepEqual(last?.spec["encoding"].color.legend, { orient: "bottom" });
});
