// Filtering and sorting of a campaign's table.

document.body.append(tip);
explainTerms();

const table = document.querySelector("#answer table");
const form = document.getElementById("of-answer");

/** Sort key of a row; unknown values come last. */
function key(row, by) {
  const value = row.dataset[by];
  if (value === undefined) return Infinity;
  return by === "name" ? value : Number(value);
}

function sortBy(by, down) {
  const rows = [...table.tBodies[0].rows];
  const turn = down ? -1 : 1;
  rows.sort((a, b) => {
    const [first, second] = [key(a, by), key(b, by)];
    if (first === Infinity || second === Infinity) return (first === Infinity) - (second === Infinity);
    return by === "name" ? turn * first.localeCompare(second) : turn * (first - second);
  });
  table.tBodies[0].append(...rows);
}

for (const button of table.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    sortBy(button.dataset.sort, down);
  });
}
table.querySelector("[data-sort=median]").closest("th").setAttribute("aria-sort", "ascending");

function choose() {
  const wanted = Object.fromEntries(new FormData(form));
  const rows = [...table.tBodies[0].rows];
  for (const row of rows) {
    const { family, size, name } = row.dataset;
    const fits =
      (!wanted.family || family === wanted.family) &&
      (!wanted.size || size === undefined || size === wanted.size) &&
      name.toLowerCase().includes((wanted.name ?? "").trim().toLowerCase());
    row.hidden = !fits;
  }
  const left = rows.filter((row) => !row.hidden).length;
  document.getElementById("how-many").textContent = `${left} of ${rows.length} rows`;
}

for (const event of ["input", "change"]) form.addEventListener(event, choose);
form.addEventListener("submit", (event) => event.preventDefault());
choose();
root.dataset.ready = "true";
