// "Explain this number": the source of a value.

import { html } from "../elements.ts";
import type { answers } from "../core/questions.ts";

/** Kinds of source, as in DESIGN.md. */
const ORIGINS: Readonly<Record<answers.Origin, string>> = {
  standard: "standard",
  datasheet: "datasheet",
  source: "source code",
  calibrated: "calibrated",
  assumed: "assumed",
};

/** The source of a parameter. Closed, it is one line. Open, it shows the document and the location in it. */
export function sourceOf(parameter: answers.Parameter): HTMLElement {
  const { source, from, cite, note, capture, bound, unit } = parameter;
  const rows: [string, string | Node][] = [["source", `${ORIGINS[source]}: ${from}`]];
  if (cite) rows.push(["document", documentOf(cite)], ["place", cite.at]);
  if (cite?.taken) rows.push(["taken from it", cite.taken]);
  if (cite?.checked) rows.push(["checked", cite.checked]);
  if (cite?.unchecked) rows.push(["not checked", cite.unchecked]);
  if (capture) rows.push(["calibrated on", capture]);
  if (note && note !== from) rows.push(["note", note]);
  if (bound) rows.push(["true value within", `${bound[0]} to ${bound[1]}${unit ? ` ${unit}` : ""}`]);
  return html("details", { class: "source" },
    html("summary", {}, `Source: ${ORIGINS[source]}`),
    html("dl", {}, ...rows.flatMap(([name, text]) => [html("dt", {}, name), html("dd", {}, text)])),
  );
}

/** A document as a link, if it is a page of the web. */
export function documentOf(cite: answers.Citation): Node {
  const { title, author, year, version, url } = cite;
  const words = [author, year === null ? null : String(year), version].filter(Boolean).join(", ");
  const text = words ? `${title} (${words})` : title;
  // Only a page of the web becomes a link. The URL comes from the profile, not from the address of this page.
  return /^https?:\/\//.test(url) ? html("a", { href: url, rel: "noreferrer", target: "_blank" }, text) : document.createTextNode(text);
}
