// The matrix on the page: a grid with one tab stop. Cells show their reason on focus and hover, and their whole
// explanation on a click.

import type { answers } from "../core/questions.ts";
import { html } from "../elements.ts";
import { explain as explained } from "../explain/explanation.ts";
import { detailOf } from "./detail.ts";
import { criterionOf } from "./explain.ts";
import { criterion, SIGNS, tunedOf, type Cell, type Column, type Matrix, type Row } from "./matrix.ts";

/** The matrix on the page. Open rows and the focus survive a new answer. */
export interface MatrixTable {
  readonly element: HTMLElement;
  show(matrix: Matrix): void;
  clear(): void;
}

/** Builds an empty matrix, whose listeners end with `life`. */
export function matrixTable(life: AbortSignal): MatrixTable {
  const table = html("table", { role: "grid", class: "matrix", "aria-label": "Links and requirements" });
  const tip = html("div", { class: "tip", id: "choose-tip", role: "tooltip", hidden: true });
  const element = html("div", { class: "matrix-frame", hidden: true }, table, tip);
  const open = new Set<string>();
  /** Key of the cell with the tab stop. */
  let stop = "";

  function show(matrix: Matrix): void {
    const had = table.contains(document.activeElement);
    hide();
    element.hidden = false;
    table.replaceChildren(head(matrix.columns), ...matrix.groups.map((group) => body(matrix, group)));
    const present = targets().flat().find((one) => one.dataset["key"] === stop) ?? targets()[0]?.[0];
    if (present) moveTo(present, had);
  }

  function clear(): void {
    hide();
    open.clear();
    stop = "";
    element.hidden = true;
    table.replaceChildren();
  }

  function head(columns: readonly Column[]): HTMLElement {
    const titles = columns.map(({ title, limit }) =>
      html("th", { scope: "col", role: "columnheader" }, title, limit ? html("small", {}, limit) : null),
    );
    const row = html("tr", { role: "row" }, html("th", { scope: "col", role: "columnheader" }, "Link"), ...titles);
    return html("thead", { role: "rowgroup" }, row);
  }

  function body({ task, columns }: Matrix, { verdict, rows }: Matrix["groups"][number]): HTMLElement {
    const { symbol, heading } = SIGNS[verdict];
    const title = html(
      "tr",
      { role: "row", class: `group ${verdict}` },
      html("th", { colspan: columns.length + 1, role: "rowheader", scope: "rowgroup" },
        html("span", { "aria-hidden": "true" }, `${symbol} `), heading, html("small", {}, ` ${rows.length}`)),
    );
    return html("tbody", { role: "rowgroup" }, title, ...rows.flatMap((row) => rowOf(row, columns, task)));
  }

  function rowOf(row: Row, columns: readonly Column[], task: answers.Task): HTMLElement[] {
    const { candidate } = row;
    const { link, good_practice } = candidate;
    const id = `choose-detail-${link}`;
    const tuned = tunedOf(candidate).map(([name, value]) => `${name}=${value}`).join(" ");
    const more = html(
      "button",
      { type: "button", class: "link", tabindex: -1, "data-key": link, "aria-expanded": String(open.has(link)), "aria-controls": id },
      html("b", {}, link),
      good_practice ? html("span", { class: "practice" }, "good practice") : null,
      tuned ? html("small", {}, tuned) : null,
    );
    const cells = row.cells.map((cell, at) => cellOf(cell, columns[at] as Column, candidate, task));
    const first = html("tr", { role: "row", class: "candidate" }, html("th", { scope: "row", role: "rowheader" }, more), ...cells);
    const detail = html("td", { colspan: columns.length + 1, role: "gridcell" });
    const second = html("tr", { role: "row", id, class: "detail", hidden: !open.has(link) }, detail);
    // Most rows stay closed: their details are built when they open.
    if (open.has(link)) detail.append(detailOf(row, columns, task));
    more.addEventListener("click", () => {
      if (!open.delete(link)) open.add(link);
      second.hidden = !open.has(link);
      more.setAttribute("aria-expanded", String(open.has(link)));
      if (!detail.hasChildNodes()) detail.append(detailOf(row, columns, task));
    });
    return [first, second];
  }

  function cellOf(cell: Cell | undefined, { title, name }: Column, candidate: answers.Recommended, task: answers.Task): HTMLElement {
    const key = `${candidate.link} ${name}`;
    const shown = cell ?? { verdict: "undecided" as const, text: "not computed", reason: "not computed in this pass" };
    const { symbol, spoken } = SIGNS[shown.verdict];
    const made = html(
      "button",
      { type: "button", class: `cell ${shown.verdict}`, tabindex: -1, "data-key": key, "data-reason": shown.reason },
      html("span", { class: "symbol", "aria-hidden": "true" }, symbol),
      html("span", { class: "visually-hidden" }, `${title}: ${spoken}, `),
      html("span", { class: "value" }, shown.text),
    );
    explained(made, `cell ${key}`, () => criterionOf(criterion(candidate, name), title, candidate, task));
    return html("td", { role: "gridcell", "data-head": title }, made);
  }

  /** Buttons of the grid by row. */
  function targets(): HTMLElement[][] {
    const rows = [...table.querySelectorAll("tr.candidate")];
    return rows.map((row) => [...row.querySelectorAll<HTMLElement>("button[data-key]")]);
  }

  function moveTo(target: HTMLElement, focus: boolean): void {
    for (const one of table.querySelectorAll<HTMLElement>("[tabindex='0'][data-key]")) one.tabIndex = -1;
    target.tabIndex = 0;
    stop = target.dataset["key"] ?? "";
    if (focus) target.focus();
  }

  function hide(): void {
    tip.hidden = true;
    table.querySelector("[aria-describedby]")?.removeAttribute("aria-describedby");
  }

  function explain(target: HTMLElement): void {
    const { reason } = target.dataset;
    hide();
    if (!reason) return;
    tip.textContent = reason;
    tip.hidden = false;
    target.setAttribute("aria-describedby", tip.id);
    const at = target.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const left = Math.min(Math.max(at.left, 4), document.documentElement.clientWidth - size.width - 4);
    const below = at.bottom + 4 + size.height <= innerHeight;
    tip.style.left = `${Math.max(left, 4)}px`;
    tip.style.top = `${below ? at.bottom + 4 : Math.max(at.top - size.height - 4, 4)}px`;
  }

  const ofEvent = (event: Event) => (event.target as Element).closest<HTMLElement>("button[data-key]");
  table.addEventListener("focusin", (event) => {
    const target = ofEvent(event);
    if (!target) return hide();
    moveTo(target, false);
    explain(target);
  });
  table.addEventListener("focusout", hide);
  table.addEventListener("mouseover", (event) => {
    const target = ofEvent(event);
    if (target) explain(target);
    else hide();
  });
  table.addEventListener("mouseleave", hide);
  // The explanation that a click opens contains the reason.
  table.addEventListener("click", hide);
  const follow = () => {
    if (tip.hidden) return;
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && table.contains(activeElement)) explain(activeElement);
    else hide();
  };
  addEventListener("scroll", follow, { passive: true, capture: true, signal: life });
  table.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const target = ofEvent(event);
    const next = target && neighbour(targets(), target, event.key);
    if (!next) return;
    event.preventDefault();
    moveTo(next, true);
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  return { element, show, clear };
}

/** The cell that a key leads to. */
function neighbour(rows: readonly (readonly HTMLElement[])[], from: HTMLElement, key: string): HTMLElement | undefined {
  const y = rows.findIndex((row) => row.includes(from));
  const x = rows[y]?.indexOf(from) ?? 0;
  switch (key) {
    case "ArrowDown":
      return rows[y + 1]?.[x];
    case "ArrowUp":
      return rows[y - 1]?.[x];
    case "ArrowRight":
      return rows[y]?.[x + 1];
    case "ArrowLeft":
      return rows[y]?.[x - 1];
    case "Home":
      return rows[y]?.[0];
    case "End":
      return rows[y]?.at(-1);
    default:
      return undefined;
  }
}
