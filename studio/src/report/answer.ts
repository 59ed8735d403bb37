// Filtering and sorting of a campaign's table.

import { countVisible, isNamed, onFields } from "./filter.ts";

/** Orders rows by a key; rows without a value come last. */
function ordered(rows: readonly HTMLTableRowElement[], by: string, down: boolean): HTMLTableRowElement[] {
  const turn = down ? -1 : 1;
  const known = rows.filter((row) => row.dataset[by] !== undefined);
  const key = (row: HTMLTableRowElement) => row.dataset[by] ?? "";
  const compare = by === "name" ? (a: string, b: string) => a.localeCompare(b) : (a: string, b: string) => Number(a) - Number(b);
  known.sort((a, b) => turn * compare(key(a), key(b)));
  return [...known, ...rows.filter((row) => row.dataset[by] === undefined)];
}

/** Starts the table, if this page has one. */
export function offerAnswer(): void {
  const table = document.querySelector<HTMLTableElement>("#answer table");
  const form = document.querySelector<HTMLFormElement>("form#of-answer");
  const body = table?.tBodies[0];
  if (!table || !form || !body) return;
  for (const button of table.querySelectorAll<HTMLElement>("[data-sort]")) {
    const head = button.closest("th");
    const by = button.dataset["sort"] ?? "";
    if (by === "median") head?.setAttribute("aria-sort", "ascending");
    button.addEventListener("click", () => {
      const down = head?.getAttribute("aria-sort") === "ascending";
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      head?.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...ordered([...body.rows], by, down));
    });
  }
  const choose = (wanted: Readonly<Record<string, string>>) => {
    const rows = [...body.rows];
    for (const row of rows) {
      const { family, size, name = "" } = row.dataset;
      const fits = (!wanted["family"] || family === wanted["family"]) && (!wanted["size"] || size === undefined || size === wanted["size"]);
      row.hidden = !(fits && isNamed(name, wanted["name"]));
    }
    countVisible(rows.filter((row) => !row.hidden).length, rows.length, "rows");
  };
  onFields(form, choose);
  form.dispatchEvent(new Event("change"));
}
