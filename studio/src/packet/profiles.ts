// The profiles of links, each requested once.

import type { Core } from "../core/client.ts";
import type { answers } from "../core/questions.ts";
import { realNames } from "./slider.ts";

/** A link with all parameters that can be set. */
export interface Profile {
  readonly link: answers.Link;
  readonly settable: Readonly<Record<string, answers.Settable>>;
  /** Parameters whose numbers may have a fraction. */
  readonly real: ReadonlySet<string>;
}

export class Profiles {
  private readonly found = new Map<string, Promise<Profile>>();
  /** Links whose name and description are loaded. */
  readonly named = new Map<string, answers.LinkName>();
  /** Links that are loaded with all their constants. */
  readonly known = new Map<string, answers.Link>();

  constructor(private readonly core: Core) {}

  async all(): Promise<answers.LinkName[]> {
    const { answer } = await this.core.ask({ question: "names" });
    for (const link of answer) this.named.set(link.name, link);
    return answer;
  }

  /** The profile of a link. Rejects if there is none of that name. */
  of(name: string): Promise<Profile> {
    const before = this.found.get(name);
    if (before) return before;
    const made = this.ask(name);
    this.found.set(name, made);
    // After a failure, such as a core that could not be loaded, the question can be asked again.
    made.catch(() => this.found.delete(name));
    return made;
  }

  private async ask(name: string): Promise<Profile> {
    const [profile, parameters] = await Promise.all([
      this.core.ask({ question: "links", link: name }),
      this.core.ask({ question: "parameters", link: name }),
    ]);
    const [link] = profile.answer;
    if (!link) throw new Error(`no link ${name}`);
    this.named.set(name, link);
    this.known.set(name, link);
    return { link, settable: parameters.answer, real: realNames(profile.json) };
  }
}
