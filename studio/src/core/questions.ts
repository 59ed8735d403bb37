// Types of the answers to each question. Both are generated from the schemas.

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
  names: answers.LinkName[];
  parameters: Record<string, answers.Settable>;
  floor: answers.Floor;
  load: answers.Load;
  goodput: answers.Goodput;
  recommend: answers.Recommendation;
  channels: answers.Channels;
  analyze: answers.Run;
  rank: Ranked;
  match: answers.MatchCandidate;
  "compare-runs": answers.Comparison;
}

/** Fields of a matched capture that come from its analysis, not from the ranking. */
type OfCapture = keyof answers.Run;

/** Outcome of a ranking: its first candidate with the ranking, or the ranking alone. */
export type Ranked = Ranking<answers.ExplainedCapture> | Ranking<answers.UnexplainedCapture>;

type Ranking<A> = Omit<A, Exclude<OfCapture, "link" | "size" | "settings">>;
