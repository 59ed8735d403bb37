// Builds the script and the style of the pages that Python writes. Those have to do without Node, so both files are
// in the repository; `npm run report` after a change, `node scripts/report.js FOLDER` to compare.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const studio = fileURLToPath(new URL("..", import.meta.url));

/** First line of both files. */
const ORIGIN = "Generated from studio/src/report by studio/scripts/report.js.";

export async function report(folder = `${studio}../python/airlag/views/pages/built`) {
  mkdirSync(`${studio}src/generated`, { recursive: true });
  writeFileSync(`${studio}src/generated/theme.css`, themed());
  await build({
    absWorkingDir: studio,
    entryPoints: { report: "src/report/main.ts" },
    outdir: folder,
    bundle: true,
    minify: true,
    lineLimit: 160,
    banner: { js: `// ${ORIGIN}`, css: `/* ${ORIGIN} */` },
    target: "es2022",
    charset: "utf8",
    format: "iife",
    logLevel: "warning",
  });
}

/** Colours of the charts of reports as variables of CSS. */
function themed() {
  const text = readFileSync(`${studio}../python/airlag/views/specs/theme.json`, "utf8");
  const { ink, quiet, grid, paper, censored, lost, runs, slices, dark } = JSON.parse(text);
  const light = { ink, quiet, grid, paper, censored, cross: lost };
  runs.forEach((colour, nth) => (light[`run${nth}`] = colour));
  for (const [kind, { colour }] of Object.entries(slices)) light[kind] = colour;
  const rule = (all) => `:root { ${all.map(([name, colour]) => `--${name}: ${colour};`).join(" ")} }`;
  const changed = Object.entries(light).flatMap(([name, colour]) => (dark[colour] ? [[name, dark[colour]]] : []));
  return `${rule(Object.entries(light))}\n@media (prefers-color-scheme: dark) { ${rule(changed)} }\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) await report(argv[2]);
