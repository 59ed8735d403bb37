// Tables of charts: comma-separated values with a header, as Python's module csv writes them.

/** A field, which may be quoted, and its end. */
const FIELD = /("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/gy;

/** Fields by line. */
export function fieldsOf(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const found = FIELD.exec(text);
    if (!found) throw new Error("a table of this page is damaged");
    const [, field = "", end] = found;
    line.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === ",") continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** Rows of a table. `types` are those of its columns; an empty field is null. */
export function rowsOf(text: string, types: Readonly<Record<string, string>>): Record<string, number | string | null>[] {
  const [names = [], ...lines] = fieldsOf(text);
  const isNumber = names.map((name) => types[name] === "number");
  return lines.map((fields) => {
    const row: Record<string, number | string | null> = {};
    names.forEach((name, at) => {
      const field = fields[at] ?? "";
      row[name] = field === "" ? null : isNumber[at] ? Number(field) : field;
    });
    return row;
  });
}
