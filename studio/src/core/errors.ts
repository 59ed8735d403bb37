// Errors of the core.

/** Error of a question, in one line: the problem, its location, and a valid alternative. */
export class CoreError extends Error {
  override readonly name = "CoreError";
}
