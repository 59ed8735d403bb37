// The whole state of a view in the address, and back.
//
// `#/packet?link=nrf24-2m&size=12&set=rate%3A2000`: the view, then its fields. An address may come from
// anywhere, so nothing in it is trusted: an invalid part is dropped with a message, the rest is kept.

/** A field of a state: its default, and how it is read and written. */
export interface Field<T> {
  readonly standard: T;
  /** Reads the values of the field, at least one; throws a `Problem`. */
  read(texts: readonly string[]): T;
  /** Values in the address. None if the field has its default. */
  write(value: T): readonly string[];
}

/** Error of a part of an address, in words that follow its name. */
export class Problem extends Error {}

export type Fields<S> = { readonly [K in keyof S]: Field<S[K]> };

/** An address, split: the name of the view, and its fields as text. */
export interface Address {
  readonly view: string;
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/** Longer addresses are not read further, because no link to this page is as long. */
const LONGEST = 8000;

/** Splits the part of a URL from `#`. Never throws. */
export function split(hash: string): Address {
  const text = hash.slice(0, LONGEST).replace(/^#?\/?/, "");
  const [view = "", ...rest] = text.split("?");
  const texts = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(rest.join("?"))) {
    texts.set(name, [...(texts.get(name) ?? []), value]);
  }
  return { view: view.replace(/\/+$/, ""), texts };
}

/** Reads a state. An invalid field has its default, and a message. Never throws. */
export function read<S extends object>(fields: Fields<S>, texts: Address["texts"]): { state: S; problems: string[] } {
  const problems: string[] = [];
  const state: Partial<S> = {};
  for (const name of namesOf(fields)) {
    const field = fields[name];
    state[name] = field.standard;
    const given = texts.get(String(name));
    if (!given) continue;
    try {
      state[name] = field.read(given);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(`address: ${String(name)} ${error.message}`);
    }
  }
  const known = new Set(namesOf(fields).map(String));
  for (const name of texts.keys()) {
    if (!known.has(name)) problems.push(`address: no field ${quoted(name)}; ignored`);
  }
  return { state: state as S, problems };
}

/** The part of a URL from `#` that `read` turns into the same state. */
export function write<S extends object>(view: string, fields: Fields<S>, state: S): string {
  const params = new URLSearchParams();
  for (const name of namesOf(fields)) {
    for (const text of fields[name].write(state[name])) params.append(String(name), text);
  }
  const text = params.toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}

function namesOf<S extends object>(fields: Fields<S>): (keyof S)[] {
  return Object.keys(fields) as (keyof S)[];
}

/** Text of an address in a message: short, and visible whatever it contains. */
export function quoted(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return JSON.stringify(short);
}

function last(texts: readonly string[]): string {
  return texts[texts.length - 1] ?? "";
}

/** A word of at most 64 letters, digits and hyphens, such as the name of a link. */
export function name(standard: string): Field<string> {
  return {
    standard,
    read(texts) {
      const text = last(texts);
      if (!/^[a-z0-9-]{1,64}$/.test(text)) throw new Problem(`is ${quoted(text)}; it must be a name such as ${standard || "nrf24-2m"}`);
      return text;
    },
    write: (value) => (value === standard ? [] : [value]),
  };
}

/** A list of names, one value each; at most `most`. */
export function names(standard: readonly string[], most: number): Field<readonly string[]> {
  const one = name("");
  return {
    standard,
    read(texts) {
      if (texts.length > most) throw new Problem(`occurs ${texts.length} times; at most ${most} are possible`);
      return [...new Set(texts.filter(Boolean).map((text) => one.read([text])))];
    },
    // An empty list that is not the default has one empty value.
    write: (value) => (value.join() === standard.join() ? [] : value.length ? value : [""]),
  };
}

/** One of a few words. */
export function choice<W extends string>(standard: W, words: readonly W[]): Field<W> {
  return {
    standard,
    read(texts) {
      const text = last(texts);
      const found = words.find((word) => word === text);
      if (found === undefined) throw new Problem(`is ${quoted(text)}; it must be ${words.join(" | ")}`);
      return found;
    },
    write: (value) => (value === standard ? [] : [value]),
  };
}

/** A whole number. */
export function whole(standard: number, least: number, most: number): Field<number> {
  return {
    standard,
    read(texts) {
      const text = last(texts);
      const value = /^-?\d{1,16}$/.test(text) ? Number(text) : NaN;
      if (!(value >= least && value <= most)) {
        throw new Problem(`is ${quoted(text)}; it must be a whole number from ${least} to ${most}`);
      }
      return value;
    },
    write: (value) => (value === standard ? [] : [String(value)]),
  };
}

/** A number, with its default written as absent. `null` where the field has no value. */
export function real(standard: number | null, least: number, most: number): Field<number | null> {
  return {
    standard,
    read(texts) {
      const text = last(texts);
      const value = /^-?(\d{1,16}(\.\d{0,12})?|\.\d{1,12})(e-?\d{1,2})?$/i.test(text) ? Number(text) : NaN;
      if (!(value >= least && value <= most)) {
        throw new Problem(`is ${quoted(text)}; it must be a number from ${least} to ${most}`);
      }
      return value;
    },
    write: (value) => (value === standard || value === null ? [] : [String(value)]),
  };
}

/** Free text of at most `longest` characters, such as a duration that the core reads. */
export function text(standard: string, longest = 64): Field<string> {
  return {
    standard,
    read(texts) {
      const value = last(texts);
      // Control characters have no place in a field, and would disturb a copied command line.
      if (value.length > longest || /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Surrogate}]/u.test(value)) {
        throw new Problem(`is ${quoted(value)}; it must be at most ${longest} characters`);
      }
      return value;
    },
    write: (value) => (value === standard ? [] : [value]),
  };
}

/** Whether something is on. */
export function flag(): Field<boolean> {
  return {
    standard: false,
    read(texts) {
      const value = last(texts);
      if (value !== "" && value !== "true" && value !== "false") {
        throw new Problem(`is ${quoted(value)}; it must be true | false`);
      }
      return value !== "false";
    },
    write: (value) => (value ? ["true"] : []),
  };
}

/** Parameters of a link that differ from its profile: `set=rate:2000`, once for each. */
export type Settings = Readonly<Record<string, string>>;

export function settings(): Field<Settings> {
  return {
    standard: {},
    read(texts) {
      const found = new Map<string, string>();
      for (const each of texts) {
        const [, key, value] = /^([a-z][a-z0-9_]{0,63}):([A-Za-z0-9.+_%@:;,-]{1,200})$/.exec(each) ?? [];
        if (key === undefined || value === undefined) {
          throw new Problem(`is ${quoted(each)}; it must be a parameter and its value, such as rate:2000`);
        }
        found.set(key, value);
      }
      return Object.fromEntries(found);
    },
    write: (value) => Object.entries(value).map(([key, each]) => `${key}:${each}`),
  };
}
