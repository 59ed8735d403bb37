// A word of the trade is explained where it stands: when it is pointed at, or reached by the keys.

function explainTerms() {
  for (const term of document.querySelectorAll(".term")) {
    const says = term.title;
    const tell = () => {
      const box = term.getBoundingClientRect();
      showTip([[says, ""]], box.left, box.bottom - 8);
    };
    term.addEventListener("focus", tell);
    term.addEventListener("pointerenter", () => {
      // Else the browser's own word for it would come on top.
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
