// A button that copies a text.

import { button } from "./elements.ts";

/** Time for which the button confirms, ms. */
const CONFIRMED_MS = 2000;

/** A button that copies what `text` returns, and confirms it in its own label. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const made = button(label, () => {
    void copied(text()).then((done) => {
      made.textContent = done ? "Copied" : "Select the text to copy it";
      setTimeout(() => (made.textContent = label), CONFIRMED_MS);
    });
  });
  made.setAttribute("aria-live", "polite");
  return made;
}

/**
 * Copies a text. Without a secure context, there is no clipboard interface, and the older command of the document is
 * used.
 */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    const { activeElement } = document;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    return done;
  }
}
