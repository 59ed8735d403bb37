// What the whole page agrees on. Charts are drawn from it, and drawn again when it changes.
"use strict";

const root = document.documentElement;

/** The runs of the page, as the table has them: name, link, size, phase. */
const runs = JSON.parse(document.getElementById("runs")?.textContent ?? "[]");

const page = {
  /** Numbers of the runs that are not filtered away; null: none are. */
  shown: null,
  /** What the axis of time counts: "x" seconds, "i" transfers. */
  counting: "x",
  /** A deadline in the unit of the page's latencies; null: none. */
  deadline: null,
  dark: matchMedia("(prefers-color-scheme: dark)"),
};

/** Makes an element with properties and children. */
function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A number with four digits, plain notation. */
function number(value) {
  if (value === 0) return "0";
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 9));
}

/** A share in percent; never 0 % or 100 % unless it is exactly that. */
function percent(share) {
  if (share === 0 || share === 1) return `${100 * share} %`;
  const value = 100 * share;
  if (value < 0.01) return "less than 0.01 %";
  return value > 99.99 ? "more than 99.99 %" : `${Number(value.toPrecision(value > 99 ? 4 : 3))} %`;
}

/** Rows of a table of comma-separated numbers, as arrays of columns by name. */
function columns(text) {
  const [head, ...lines] = text.trimEnd().split("\n");
  const names = head.split(",");
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (const line of lines) {
    const cells = line.split(",");
    names.forEach((name, at) => found[name].push(Number(cells[at])));
  }
  return found;
}
