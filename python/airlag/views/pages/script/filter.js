// Filters runs by link, size, phase and parts of their names.

function offerFilter() {
  const form = document.getElementById("filter");
  if (!form) return;
  const choose = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const left = runs.filter(
      (run) =>
        ["link", "size", "phase"].every((by) => !wanted[by] || String(run[by]) === wanted[by]) &&
        run.name.toLowerCase().includes((wanted.name ?? "").trim().toLowerCase()),
    );
    page.shown = left.length === runs.length ? null : new Set(left.map((run) => run.number));
    for (const element of document.querySelectorAll("main [data-run]")) {
      element.hidden = page.shown !== null && !page.shown.has(Number(element.dataset.run));
    }
    document.getElementById("how-many").textContent = `${left.length} of ${runs.length} runs`;
    refreshAll();
  };
  for (const event of ["input", "change"]) form.addEventListener(event, choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(choose));
}

/** Switches the time axis between seconds and transfers. */
function offerCounting() {
  for (const field of document.querySelectorAll("input[name=counting]")) {
    field.addEventListener("change", () => {
      page.counting = field.value;
      refreshAll();
    });
  }
}
