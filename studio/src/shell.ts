// Command lines to copy.

/** Words as one line for a POSIX shell. Quoted where needed: an address may contain what a shell would run. */
export function shellLine(words: readonly string[]): string {
  const plain = /^[A-Za-z0-9_.,:=@%+/-]+$/;
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
