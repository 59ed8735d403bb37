// State of the page. Charts are redrawn when it changes.
"use strict";

const root = document.documentElement;

/** Runs of the page: name, link, size, phase. */
const runs = JSON.parse(document.getElementById("runs")?.textContent ?? "[]");

const page = {
  /** Numbers of the visible runs; null: all. */
  shown: null,
  /** Unit of the time axis: "x" seconds, "i" transfers. */
  counting: "x",
  /** Deadline in the page's unit of latency; null: none. */
  deadline: null,
  dark: matchMedia("(prefers-color-scheme: dark)"),
};

/** Creates an element with properties and children. */
function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Formats a number with four digits, without exponent. */
function number(value) {
  if (value === 0) return "0";
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 9));
}

/** Formats a share in percent; 0 % and 100 % only if exact. */
function percent(share) {
  if (share === 0 || share === 1) return `${100 * share} %`;
  const value = 100 * share;
  if (value < 0.01) return "less than 0.01 %";
  return value > 99.99 ? "more than 99.99 %" : `${Number(value.toPrecision(value > 99 ? 4 : 3))} %`;
}

/** Parses comma-separated numbers into columns by name. */
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
