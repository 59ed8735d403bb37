// Locations of the parts of the core in the single-file page: its own elements. `place.ts` is for all other pages.

import type { Hand } from "./client.ts";

/** Kept for as long as the page, because workers are replaced. */
let script: string | undefined;

export function worker(): Hand {
  script ??= URL.createObjectURL(new Blob([textOf("worker")], { type: "text/javascript" }));
  return new Worker(script) as Hand;
}

export async function module(): Promise<WebAssembly.Module> {
  const packed = Uint8Array.from(atob(textOf("core")), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}
