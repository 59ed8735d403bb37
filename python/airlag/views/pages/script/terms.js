// Tooltips with definitions of terms, on hover or keyboard focus.

function explainTerms() {
  for (const term of document.querySelectorAll(".term")) {
    const says = term.title;
    const tell = () => {
      const box = term.getBoundingClientRect();
      showTip([[says, ""]], box.left, box.bottom - 8);
    };
    term.addEventListener("focus", tell);
    term.addEventListener("pointerenter", () => {
      // Suppresses the browser's own tooltip.
      term.removeAttribute("title");
      tell();
    });
    const hide = () => {
      term.title = says;
      tip.hidden = true;
    };
    term.addEventListener("blur", hide);
    term.addEventListener("pointerleave", hide);
  }
}
