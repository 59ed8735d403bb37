// Tooltip with a small table.

const tip = made("div", { id: "tip", hidden: true });
tip.setAttribute("role", "status");

/** Shows name-value rows near a position of the window. */
function showTip(rows, right, down) {
  tip.replaceChildren(
    ...rows.map(([name, value]) =>
      made("div", {}, made("span", { textContent: name }), made("b", { textContent: value })),
    ),
  );
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = right + 16 + width > innerWidth ? right - 16 - width : right + 16;
  const top = down + 16 + height > innerHeight ? down - 16 - height : down + 16;
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}
