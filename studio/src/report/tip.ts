// A tooltip with a small table, and definitions of terms in it, on hover or keyboard focus.

import { html } from "../elements.ts";

export const tip = html("div", { id: "tip", role: "status", hidden: true });

/** Shows name-value rows near a position of the window. */
export function showTip(rows: readonly (readonly [name: string, value: unknown])[], right: number, down: number): void {
  tip.replaceChildren(...rows.map(([name, value]) => html("div", {}, html("span", {}, name), html("b", {}, String(value)))));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = right + 16 + width > innerWidth ? right - 16 - width : right + 16;
  const top = down + 16 + height > innerHeight ? down - 16 - height : down + 16;
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}

/** Gives each term of the page its definition. */
export function explainTerms(): void {
  document.body.append(tip);
  for (const term of document.querySelectorAll<HTMLElement>(".term")) {
    const { title } = term;
    const show = () => {
      const box = term.getBoundingClientRect();
      showTip([[title, ""]], box.left, box.bottom - 8);
    };
    const hide = () => {
      term.title = title;
      tip.hidden = true;
    };
    term.addEventListener("focus", show);
    term.addEventListener("pointerenter", () => {
      // Suppresses the browser's own tooltip.
      term.removeAttribute("title");
      show();
    });
    term.addEventListener("blur", hide);
    term.addEventListener("pointerleave", hide);
  }
}
