// Stores the page for offline use: the newest files while its server responds, those of the last visit otherwise.

/** The part of a service worker's global scope used here; the library of types for pages does not have it. */
interface Scope {
  addEventListener(name: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(name: "fetch", listener: (event: Fetched) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  readonly location: { readonly origin: string };
}
interface Lasting {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetched {
  readonly request: Request;
  respondWith(reply: Promise<Response>): void;
}
const scope = self as unknown as Scope;

const KEPT = "airlag-studio";
/**
 * Files that the page needs to answer questions. They are fetched on the first visit, before the page is controlled.
 */
const FILES = ["./", "style.css", "app.js", "worker.js", "core/airlag.js", "core/airlag_bg.wasm"];

scope.addEventListener("install", (event) => {
  const all = caches.open(KEPT).then((kept) => kept.addAll(FILES));
  event.waitUntil(all.then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(`${scope.location.origin}/`)) {
    event.respondWith(newest(request));
  }
});

async function newest(request: Request): Promise<Response> {
  const kept = await caches.open(KEPT);
  try {
    const reply = await fetch(request);
    if (reply.ok) await kept.put(request, reply.clone());
    return reply;
  } catch (error) {
    // A state in the query, such as `?embed`, belongs to the same page.
    const found = await kept.match(request, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}
