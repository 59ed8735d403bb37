// Builds studio/dist: index.html, app.js, worker.js, style.css. The core lies beside them in dist/core. With all of it,
// it also builds build/airlag-studio.html, the page as one file.

import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inOne } from "./inone.js";
import { report } from "./report.js";

const studio = fileURLToPath(new URL("..", import.meta.url));
const manifest = readFileSync(`${studio}/../Cargo.toml`, "utf8");
const version = /\[workspace\.package\]\s+version = "([^"]+)"/.exec(manifest)?.[1];
if (!version) throw new Error("Cargo.toml: no version under [workspace.package]");

await report();
mkdirSync(`${studio}/dist/core`, { recursive: true });
const options = {
  absWorkingDir: studio,
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  define: { AIRLAG_VERSION: JSON.stringify(version) },
  logLevel: "warning",
};
await build({
  ...options,
  entryPoints: { app: "src/app.ts", worker: "src/core/worker.ts", offline: "src/offline.ts" },
  outdir: "dist",
  format: "esm",
});
// The style of all views comes with their scripts; it is one file with a name of its own.
renameSync(`${studio}/dist/app.css`, `${studio}/dist/style.css`);
copyFileSync(`${studio}/src/index.html`, `${studio}/dist/index.html`);
if (existsSync(`${studio}/dist/core/airlag_bg.wasm`)) {
  mkdirSync(`${studio}/build`, { recursive: true });
  writeFileSync(`${studio}/build/airlag-studio.html`, await inOne(studio, options));
}
