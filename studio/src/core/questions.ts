// Which answer belongs to which question. Both sides are generated from the schemas.

import type * as answers from "../generated/answers.ts";
import type { Question } from "../generated/questions.ts";

export type { Question } from "../generated/questions.ts";
export type * as answers from "../generated/answers.ts";

/** Answers by the tag of the question. */
export interface Answers extends Record<Question["question"], unknown> {
  run: answers.VirtualRun[];
  explain: answers.ExplainedRun;
  advise: answers.Advice;
  links: answers.Link[];
  parameters: Record<string, answers.Settable>;
  floor: answers.Floor;
  load: answers.Load;
  goodput: answers.Goodput;
  recommend: answers.Recommendation;
}
