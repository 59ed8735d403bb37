// Deadline: a line in every latency chart, and the share of messages that miss it.

import { percent } from "../amounts/format.ts";
import type { Panel } from "./panel.ts";
import { page, runs, type Run } from "./state.ts";
import type { Spec } from "./vega.ts";

/** Share of the messages of a run that take longer than the deadline or are lost; approximate for sampled runs. */
function beyond({ fates: { of, arrived, latency } }: Run, deadline: number): string {
  if (!of) return "–";
  const late = latency.findIndex((each) => each > deadline);
  const within = late < 0 ? latency.length : late;
  // Long runs are sampled at regular ranks.
  const delivered = latency.length ? Math.round((within / latency.length) * arrived) : 0;
  const share = percent((of - delivered) / of);
  return arrived > latency.length ? `about ${share}` : share;
}

/** Adds the deadline line to a panel, if its axis includes the deadline. */
export function withDeadline(spec: Spec, panel: Panel): Spec {
  const { deadline } = page;
  const { axis, unit } = panel.meta["latency"] ?? {};
  if (deadline === null || !axis || !spec["layer"]) return spec;
  const layers = spec["layer"] as Spec[];
  const channel = layers.find((layer) => layer["encoding"]?.[axis]?.scale?.domain)?.["encoding"][axis];
  if (!channel) return spec;
  const [low, high] = channel.scale.domain;
  const run = runs.find((each) => each.number === panel.run);
  const said = `deadline ${deadline} ${unit}${run ? `, ${beyond(run, deadline)} beyond` : ""}`;
  panel.place.dataset["deadline"] = said;
  if (deadline < low || deadline > high) return spec;
  const along = { field: "at", type: "quantitative", scale: channel.scale };
  const data = { values: [{ at: deadline, said }] };
  const upright = axis === "y";
  const text = { type: "text", aria: false, color: "#222222", baseline: "bottom" };
  layers.push(
    {
      data,
      mark: { type: "rule", color: "#222222", strokeDash: [6, 3], strokeWidth: 1.4, aria: false },
      encoding: { [axis]: along },
    },
    {
      data,
      mark: upright ? { ...text, align: "right", dx: -4, dy: -3 } : { ...text, align: "center", dy: -2 },
      encoding: { [axis]: along, ...(upright ? { x: { value: "width" } } : { y: { value: 0 } }), text: { field: "said" } },
    },
  );
  return spec;
}

/** Reads the deadline field and fills the table's column of missed shares. */
export function offerDeadline(redraw: () => void): void {
  const field = document.querySelector<HTMLInputElement>("#deadline");
  if (!field) return;
  const changed = () => {
    const { value } = field;
    const deadline = Number(value) > 0 ? Number(value) : null;
    page.deadline = deadline;
    for (const cell of document.querySelectorAll<HTMLElement>(".beyond")) {
      cell.hidden = deadline === null;
      const run = runs.find((each) => each.number === Number(cell.dataset["of"]));
      if (run && deadline !== null) cell.textContent = beyond(run, deadline);
    }
    redraw();
  };
  field.addEventListener("input", changed);
  if (field.value) changed();
}
