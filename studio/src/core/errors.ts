// Errors of the core.

/** A question without an answer, in one line: what is wrong, where, and what would be right. */
export class CoreError extends Error {
  override readonly name = "CoreError";
}
