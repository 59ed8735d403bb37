// Writes the types of questions and answers from the JSON Schemas in docs/schemas.
//
// The schemas use a dozen keywords of JSON Schema, so this file is shorter than the options of a general
// generator. An unknown keyword ends the build: no type is silently `unknown`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { described, glossary } from "./descriptions.js";

const SCHEMAS = new URL("../../docs/schemas/", import.meta.url);
const TARGET = new URL("../src/generated/", import.meta.url);
const IGNORED = new Set(["description", "default", "minimum", "maximum", "minLength", "title", "$schema", "x-nullable"]);
const SCALARS = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };

/** Text of the type of a schema. */
function typeOf(schema) {
  if (schema === true || Object.keys(schema).every((key) => IGNORED.has(key))) return "unknown";
  const of = (one) => typeOf(one);
  if (schema.$ref) return schema.$ref.replace(/^.*#\/\$defs\//, "");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map((one) => grouped(of(one))).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => grouped(of({ ...schema, type }))).join(" | ");
  }
  switch (schema.type) {
    case "array":
      if (schema.prefixItems) return `[${schema.prefixItems.map(of).join(", ")}]`;
      if (schema.minItems !== undefined && schema.minItems === schema.maxItems) {
        return `[${Array(schema.minItems).fill(of(schema.items)).join(", ")}]`;
      }
      return `${grouped(of(schema.items))}[]`;
    case "object":
      if (schema.properties) return objectOf(schema);
      return typeof schema.additionalProperties === "object"
        ? `Record<string, ${of(schema.additionalProperties)}>`
        : "Record<string, unknown>";
    default:
      if (schema.type in SCALARS) return SCALARS[schema.type];
      throw new Error(`docs/schemas: no type for ${JSON.stringify(schema)}`);
  }
}

function objectOf(schema) {
  const required = new Set(schema.required ?? []);
  const lines = Object.entries(schema.properties).map(([name, one]) => {
    const mark = required.has(name) ? "" : "?";
    return `${comment(one.description, "  ")}  ${JSON.stringify(name)}${mark}: ${typeOf(one).replaceAll("\n", "\n  ")};`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** A union in brackets, so that it can be part of a list. */
function grouped(text) {
  return /[|]/.test(text) && !text.startsWith("{") && !text.startsWith("[") ? `(${text})` : text;
}

function comment(text, indent) {
  return text ? `${indent}/** ${text.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n` : "";
}

/** Writes one file with a type for each definition of a schema file. */
function write(source, target) {
  const { $defs } = JSON.parse(readFileSync(new URL(source, SCHEMAS), "utf8"));
  const types = Object.entries($defs).map(
    ([name, schema]) => `${comment(schema.description, "")}export type ${name} = ${typeOf(schema)};`,
  );
  const head = `// Generated from docs/schemas/${source} by scripts/types.js.\n\n`;
  writeFileSync(new URL(target, TARGET), `${head}${types.join("\n\n")}\n`);
}

mkdirSync(TARGET, { recursive: true });
write("common.schema.json", "answers.ts");
write("question.schema.json", "questions.ts");
const read = (file) => readFileSync(new URL(file, SCHEMAS), "utf8");
writeFileSync(new URL("descriptions.ts", TARGET), described(JSON.parse(read("common.schema.json"))));
writeFileSync(new URL("glossary.ts", TARGET), glossary(read("../glossary.md")));
