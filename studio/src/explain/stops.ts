// Numbers and the keyboard: one stop of the Tab key for each table or panel, arrow keys within.

const GROUP = "table, details, section, .candidate-detail, .panel, .view";

function numbersOf(group: Element): HTMLElement[] {
  const all = [...group.querySelectorAll<HTMLElement>(".explained")];
  return all.filter((one) => one.closest(GROUP) === group && one.checkVisibility());
}

/** Gives each group of numbers one stop: `wanted` in its group, else the one that is there, else the first. */
export function stops(main: Element, wanted?: HTMLElement): void {
  const firsts = new Map<Element, HTMLElement>();
  const present = new Set<Element>();
  for (const one of main.querySelectorAll<HTMLElement>(".explained")) {
    const group = one.closest(GROUP) ?? main;
    if (wanted && wanted.closest(GROUP) === group) one.tabIndex = one === wanted ? 0 : -1;
    else if (!firsts.has(group)) firsts.set(group, one);
    if (one.tabIndex === 0) present.add(group);
  }
  for (const [group, first] of firsts) if (!present.has(group)) first.tabIndex = 0;
}

/** The number that a key leads to: the next or the last one, or the one below or above in a table. */
export function neighbourOf(from: HTMLElement, main: Element, key: string): HTMLElement | undefined {
  const all = numbersOf(from.closest(GROUP) ?? main);
  const at = all.indexOf(from);
  const cell = from.closest<HTMLTableCellElement>("td, th");
  const inColumn = (one: HTMLElement) => cell !== null && one.closest<HTMLTableCellElement>("td, th")?.cellIndex === cell.cellIndex && one.closest("tr") !== from.closest("tr");
  switch (key) {
    case "ArrowRight":
      return all[at + 1];
    case "ArrowLeft":
      return all[at - 1];
    case "ArrowDown":
      return cell ? all.slice(at + 1).find(inColumn) : all[at + 1];
    case "ArrowUp":
      return cell ? all.slice(0, Math.max(at, 0)).findLast(inColumn) : all[at - 1];
    case "Home":
      return all[0];
    case "End":
      return all.at(-1);
    default:
      return undefined;
  }
}
