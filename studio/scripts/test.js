// Bundles the tests, because the oldest supported Node does not read TypeScript, and runs them.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const studio = fileURLToPath(new URL("..", import.meta.url));
const tests = readdirSync(`${studio}/tests`, { recursive: true }).map(String).filter((one) => one.endsWith(".test.ts"));
rmSync(`${studio}/build/tests`, { recursive: true, force: true });
await build({
  absWorkingDir: studio,
  entryPoints: tests.map((one) => `tests/${one}`),
  outdir: "build/tests",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  loader: { ".css": "empty" },
  sourcemap: "inline",
  logLevel: "warning",
});
const made = readdirSync(`${studio}/build/tests`, { recursive: true }).map(String).filter((one) => one.endsWith(".mjs"));
const args = ["--enable-source-maps", "--test", ...made.map((one) => `build/tests/${one}`)];
process.exitCode = spawnSync(process.execPath, args, { cwd: studio, stdio: "inherit" }).status ?? 1;
