// The page as one file, which opens from a file share or a stick: browsers load neither modules nor WebAssembly from
// `file:`, so scripts, styles and the compressed core are elements of the page.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Returns the text of the page. The core has to be in `dist/core`, and the style in `dist/style.css`. */
export async function inOne(studio, options) {
  const { outputFiles } = await build({
    ...options,
    entryPoints: { app: "src/app.ts", worker: "src/core/worker.ts" },
    outdir: "build",
    write: false,
    format: "iife",
    plugins: [inside(studio)],
    // Of the bindings, the start that looks for the core beside them, which is not used here.
    define: { ...options.define, "import.meta.url": '""' },
  });
  const script = (name) => {
    const { text } = outputFiles.find(({ path }) => path.endsWith(`${name}.js`));
    return text.replaceAll("</script", "<\\/script").trim();
  };
  const app = script("app");
  const style = readFileSync(`${studio}/dist/style.css`, "utf8").trim();
  const core = gzipSync(readFileSync(`${studio}/dist/core/airlag_bg.wasm`), { level: 9 }).toString("base64");
  const policy = `default-src 'none'; script-src ${hash(app)} 'wasm-unsafe-eval'; style-src ${hash(style)}; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  return replaced(readFileSync(`${studio}/src/index.html`, "utf8"), [
    [/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, before) => before + policy],
    [/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`],
    [/<script type="module"[^>]*><\/script>\n/, () => ""],
    // Neither is a script for the browser: of this type, it is text.
    [/<\/body>/, () => `<script type="text/plain" id="worker">${script("worker")}</script>
<script type="text/plain" id="core">${core}</script>
<script>${app}</script>
</body>`],
  ]);
}

/** What is beside other pages is inside of this one. */
function inside(studio) {
  return {
    name: "inside",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/place\.ts$/ }, () => ({ path: `${studio}src/core/placeinside.ts` }));
      onLoad({ filter: /\/core\/bindings\.ts$/ }, () => ({
        contents: 'import * as all from "./airlag.js"; export const load = async () => all;',
        resolveDir: `${studio}dist/core`,
      }));
    },
  };
}

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Replaces each pattern once; one that is missing ends the build. */
function replaced(text, changes) {
  for (const [pattern, by] of changes) {
    if (!pattern.test(text)) throw new Error(`src/index.html: nothing matches ${pattern}`);
    text = text.replace(pattern, by);
  }
  return text;
}
