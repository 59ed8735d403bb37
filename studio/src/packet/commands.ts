// The same run on the command line and in Python. Pure, for tests.

import { shellLine } from "../shell.ts";
import type { Bench } from "./state.ts";

/** The command that prints the numbers of a bench. Options at their default are left out. */
export function commandLine(bench: Bench): string {
  const words = ["airlag", "run", bench.link];
  if (bench.size !== null) words.push("--size", String(bench.size));
  for (const [name, value] of Object.entries(bench.set)) words.push("--set", `${name}=${value}`);
  if (bench.count !== 1000) words.push("--count", String(bench.count));
  if (bench.period) words.push("--period", bench.period);
  if (bench.phase !== "uniform") words.push("--phase", bench.phase);
  if (bench.seed !== 1) words.push("--seed", String(bench.seed));
  return shellLine(words);
}

/** The commands that save both runs and print their differences. */
export function comparedLine(a: Bench, b: Bench): string {
  return `${commandLine(a)} -o a.parquet && ${commandLine(b)} -o b.parquet && airlag compare a.parquet b.parquet`;
}

/** The expression of Python with the same numbers. */
export function pythonLine(bench: Bench): string {
  const words = [text(bench.link)];
  if (bench.size !== null) words.push(`size=${bench.size}`);
  if (bench.count !== 1000) words.push(`count=${bench.count}`);
  if (bench.period) words.push(`period=${text(bench.period)}`);
  if (bench.phase !== "uniform") words.push(`phase=${text(bench.phase)}`);
  if (bench.seed !== 1) words.push(`seed=${bench.seed}`);
  const settings = Object.entries(bench.set).map(([name, value]) => `${text(name)}: ${text(value)}`);
  if (settings.length) words.push(`settings={${settings.join(", ")}}`);
  return `airlag.run(${words.join(", ")})`;
}

/** A string of Python; JSON has no escape that Python lacks. */
function text(value: string): string {
  return JSON.stringify(value);
}

/** The address of the charts alone, as a frame of another page takes it. */
export function embedded(address: string): string {
  const url = new URL(address);
  url.search = "?embed";
  return url.href;
}
