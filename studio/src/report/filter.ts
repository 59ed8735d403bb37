// Filters runs by link, size, phase and parts of their names, and selects the unit of the time axis.

import { page, runs, type Counting, type Run } from "./state.ts";

const FIELDS = ["link", "size", "phase"] as const;

/** Calls `choose` with the fields of a form whenever one changes. */
export function onFields(form: HTMLFormElement, choose: (wanted: Readonly<Record<string, string>>) => void): void {
  const changed = () => choose(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])));
  for (const event of ["input", "change"]) form.addEventListener(event, changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
}

/** Whether a name contains the searched text. */
export function isNamed(name: string, wanted: string | undefined): boolean {
  return name.toLowerCase().includes((wanted ?? "").trim().toLowerCase());
}

/** States how many rows or runs are visible. */
export function countVisible(visible: number, all: number, what: string): void {
  const place = document.getElementById("how-many");
  if (place) place.textContent = `${visible} of ${all} ${what}`;
}

export function offerFilter(redraw: () => void): void {
  const form = document.querySelector<HTMLFormElement>("form#filter");
  if (!form) return;
  onFields(form, (wanted) => {
    const fits = (run: Run) => FIELDS.every((by) => !wanted[by] || String(run[by]) === wanted[by]) && isNamed(run.name, wanted["name"]);
    const left = runs.filter(fits);
    page.shown = left.length === runs.length ? null : new Set(left.map((run) => run.number));
    for (const element of document.querySelectorAll<HTMLElement>("main [data-run]")) {
      element.hidden = page.shown !== null && !page.shown.has(Number(element.dataset["run"]));
    }
    countVisible(left.length, runs.length, "runs");
    redraw();
  });
}

/** Switches the time axis between seconds and transfers. */
export function offerCounting(redraw: () => void): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[name=counting]")) {
    field.addEventListener("change", () => {
      page.counting = field.value as Counting;
      redraw();
    });
  }
}
