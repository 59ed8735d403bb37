// Adapts chart colours to the page's light or dark scheme.

/** Light and dark variants of colours that would be invisible on dark; see theme.py. */
const DARK = JSON.parse(document.getElementById("dark").textContent);
const IN_A_TABLE = new RegExp(`(?<=,)(${Object.keys(DARK).join("|")})(?=\\n|,|$)`, "g");

/** Returns the specification in the page's scheme. */
function recoloured(value) {
  if (!page.dark.matches) return value;
  if (typeof value === "string") {
    if (value in DARK) return DARK[value];
    return value.includes("\n") ? value.replace(IN_A_TABLE, (light) => DARK[light]) : value;
  }
  if (Array.isArray(value)) return value.map(recoloured);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, recoloured(each)]));
}
