// Locations of the parts of the core: files beside the page. In the single-file page, `placeinside.ts` replaces this
// module.

import type { Hand } from "./client.ts";

const at = (path: string) => new URL(path, document.baseURI);

export function worker(): Hand {
  return new Worker(at("worker.js"), { type: "module" }) as Hand;
}

export async function module(): Promise<WebAssembly.Module> {
  const reply = await fetch(at("core/airlag_bg.wasm"));
  if (!reply.ok) throw new Error(`core/airlag_bg.wasm: HTTP ${reply.status}; make studio builds it`);
  // Not compileStreaming: a plain file server may not know the media type of WebAssembly.
  return WebAssembly.compile(await reply.arrayBuffer());
}
