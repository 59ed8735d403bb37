// Texts for the explanations of numbers: descriptions of answers from docs/schemas, and terms from docs/glossary.md.
//
// Each is a constant of its own, so that a misspelt name ends the check of types, and the bundle contains only
// those that a view uses.

/** Constants with the descriptions of all types, as `Latency`, and of their fields, as `Latency_p50`. */
export function described({ $defs }) {
  const lines = ["// Generated from docs/schemas/common.schema.json by scripts/types.js.\n"];
  for (const [type, { description, properties = {} }] of Object.entries($defs)) {
    if (description) lines.push(constant(type, description));
    for (const [field, one] of Object.entries(properties)) {
      if (one.description) lines.push(constant(`${type}_${field}`, one.description));
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Constants with the terms of the glossary: `delivery_ratio`, with its term and meaning. */
export function glossary(markdown) {
  const lines = ["// Generated from docs/glossary.md by scripts/types.js.\n"];
  for (const [, term, meaning] of markdown.matchAll(/^\| (.+?) \| (.+) \|$/gm)) {
    if (term === "term") continue;
    lines.push(`export const ${nameOf(term)} = ${JSON.stringify({ term, meaning: plain(meaning) })} as const;`);
  }
  return `${lines.join("\n")}\n`;
}

function constant(name, text) {
  return `export const ${nameOf(name)} = ${JSON.stringify(plain(text))};`;
}

function nameOf(text) {
  return text.replaceAll(/[^A-Za-z0-9_]+/g, "_");
}

/** Markdown as plain text: links by their words, code without its marks. */
function plain(text) {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "").replaceAll(/\s+/g, " ").trim();
}
