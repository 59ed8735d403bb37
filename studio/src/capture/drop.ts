// Takes a file that is dropped or chosen. It is not read here: the worker of the core does that.

import { count } from "../amounts/format.ts";
import { html } from "../elements.ts";

/** Largest file that fits into the memory of a page twice: as the browser reads it, and in the core. */
export const LARGEST_BYTES = 1024 ** 3;

const FORMATS = "CSV of Logic 2, .sal, .sr, VCD, Saleae binary, pcapng, pcap, or a table of latencies";

export interface Drop {
  readonly element: HTMLElement;
  close(): void;
}

/** A zone that takes a file. Calls `take` with each file that can be read, and `refuse` with one line for any other. */
export function dropZone(take: (file: File, note: string) => void, refuse: (line: string) => void): Drop {
  const input = html("input", { type: "file", id: "capture-file" });
  const element = html("div", { class: "panel drop" },
    html("label", { for: "capture-file" }, "Drop a capture here, or choose a file"),
    input,
    html("p", { class: "quiet" }, `${FORMATS}. The file is read in this page; nothing is sent anywhere.`),
  );

  function given(files: readonly File[]): void {
    const [file] = files;
    if (!file) return refuse("no file was dropped; drop one capture");
    const line = refusal(file);
    if (line) return refuse(line);
    take(file, files.length > 1 ? `${files.length} files were dropped; ${file.name} is shown` : "");
  }

  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    // The same file can be chosen again, for example after it was rewritten.
    input.value = "";
    if (files.length) given(files);
  });

  // The whole page is the target, because a file dropped beside the zone would otherwise replace the page.
  const over = (event: DragEvent): void => {
    event.preventDefault();
    element.classList.add("over");
  };
  const leave = (event: DragEvent): void => {
    if (event.relatedTarget === null) element.classList.remove("over");
  };
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    element.classList.remove("over");
    const folder = [...(event.dataTransfer?.items ?? [])].map((one) => one.webkitGetAsEntry()).find((one) => one?.isDirectory);
    if (folder) return refuse(`${folder.name}: is a folder; drop one file, or use airlag analyze with the folder`);
    given([...(event.dataTransfer?.files ?? [])]);
  };
  addEventListener("dragover", over);
  addEventListener("dragleave", leave);
  addEventListener("drop", dropped);
  return {
    element,
    close() {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", dropped);
    },
  };
}

/** Reason why a file is refused, in one line. Undefined if it is accepted. */
export function refusal({ name, size }: { readonly name: string; readonly size: number }): string | undefined {
  const called = name || "file without a name";
  if (size === 0) return `${called}: is empty; choose a file with a capture`;
  if (size > LARGEST_BYTES) {
    return `${called}: has ${bytes(size)}; this page reads up to ${bytes(LARGEST_BYTES)}; use airlag analyze on the command line`;
  }
  return undefined;
}

/** Formats the size of a file. */
export function bytes(size: number): string {
  if (size < 10_000) return `${count(size)}\u00a0B`;
  const units = ["kB", "MB", "GB"];
  const at = Math.min(Math.floor(Math.log10(size) / 3), units.length);
  const value = size / 1000 ** at;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)}\u00a0${units[at - 1]}`;
}
