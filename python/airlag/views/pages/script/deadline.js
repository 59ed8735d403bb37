// Deadline: a line in every latency chart, and the share of messages that miss it.

/** Share of the messages of a run that take longer than the deadline or are lost. */
function beyond(run) {
  const { latency, of } = run.fates;
  if (!of) return null;
  let low = 0;
  let high = latency.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (latency[middle] <= page.deadline) low = middle + 1;
    else high = middle;
  }
  // Long runs are sampled at regular ranks.
  const arrived = latency.length ? (low / latency.length) * run.fates.arrived : 0;
  return (of - Math.round(arrived)) / of;
}

/** The same as text, marked as approximate for sampled runs. */
function beyondSaid(run) {
  const share = beyond(run);
  if (share === null) return "–";
  return run.fates.arrived > run.fates.latency.length ? `about ${percent(share)}` : percent(share);
}

/** Adds the deadline line to a panel, if its axis includes the deadline. */
function withDeadline(spec, panel) {
  const { axis, unit } = panel.meta.latency ?? {};
  if (page.deadline === null || !axis || !spec.layer) return spec;
  const channel = spec.layer.find((layer) => layer.encoding?.[axis]?.scale?.domain)?.encoding[axis];
  if (!channel) return spec;
  const [low, high] = channel.scale.domain;
  const run = runs.find((each) => each.number === panel.run);
  const share = run ? `, ${beyondSaid(run)} beyond` : "";
  const said = `deadline ${page.deadline} ${unit}${share}`;
  panel.place.dataset.deadline = said;
  if (page.deadline < low || page.deadline > high) return spec;
  const along = { field: "at", type: "quantitative", scale: channel.scale };
  const data = { values: [{ at: page.deadline, said }] };
  const beside =
    axis === "y"
      ? { x: { value: "width" } }
      : { y: { value: 0 } };
  const text = { type: "text", aria: false, color: "#222222", baseline: "bottom", dy: -3 };
  spec.layer.push(
    {
      data,
      mark: { type: "rule", color: "#222222", strokeDash: [6, 3], strokeWidth: 1.4, aria: false },
      encoding: { [axis]: along },
    },
    {
      data,
      mark: axis === "y" ? { ...text, align: "right", dx: -4 } : { ...text, align: "center", dy: -2 },
      encoding: { [axis]: along, ...beside, text: { field: "said" } },
    },
  );
  return spec;
}

/** Reads the deadline field and fills the table's column of missed shares. */
function offerDeadline() {
  const field = document.getElementById("deadline");
  if (!field) return;
  const told = () => {
    const value = Number(field.value);
    page.deadline = field.value !== "" && value > 0 ? value : null;
    for (const cell of document.querySelectorAll(".beyond")) {
      cell.hidden = page.deadline === null;
      const run = runs.find((each) => each.number === Number(cell.dataset.of));
      if (!run || page.deadline === null) continue;
      cell.textContent = beyondSaid(run);
    }
    refreshAll();
  };
  field.addEventListener("input", told);
  if (field.value) told();
}
