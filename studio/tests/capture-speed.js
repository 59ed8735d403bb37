// How long the core takes to analyze captures, and the memory of the process: node capture-speed.js FILE…
//
// capture-file.js writes captures of a million rows. The engine is that of Chromium. `make studio` builds the core
// first, optimised unless the environment says otherwise.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Capture, default as load } from "../dist/core/airlag.js";

await load({ module_or_path: readFileSync(new URL("../dist/core/airlag_bg.wasm", import.meta.url)) });
for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const start_ms = performance.now();
  const capture = new Capture(basename(file), bytes);
  const answer = capture.ask(JSON.stringify({ question: "analyze", source: basename(file) }));
  const taken_s = (performance.now() - start_ms) / 1e3;
  const { triggers, delivered } = JSON.parse(answer.json);
  answer.free();
  capture.free();
  const memory_mb = process.resourceUsage().maxRSS / 1e3;
  console.log(
    `${file}: ${triggers} triggers, ${delivered} delivered, ${taken_s.toFixed(2)} s, ${memory_mb.toFixed(0)} MB`,
  );
}
