// Interface between a view and the shell.

import type { Core } from "./core/client.ts";
import type { Fields } from "./state.ts";

/** Elements and functions that the shell provides to a view. */
export interface Host<S> {
  /** The element that the view fills. */
  readonly root: HTMLElement;
  readonly core: Core;
  /** Whether the page shows charts only, as part of another page. */
  readonly embed: boolean;
  /**
   * Writes a state to the address, without a call of `show`. With `push`, the state has a separate entry for the back
   * button. Otherwise the present entry changes, for example while a slider moves.
   */
  record(state: S, push: boolean): void;
  /** The full address of a state. */
  address(state: S): string;
  /** Shows messages above the view, in place of those before; none clears them. */
  report(messages: readonly string[]): void;
}

/** A view on the page. */
export interface Opened<S> {
  /** Shows a state that came from the address. */
  show(state: S): void;
  /** Cancels what still runs. The shell then removes the elements. */
  close(): void;
}

export interface View<S extends object> {
  /** Name in the address. */
  readonly name: string;
  /** Title in the header. */
  readonly title: string;
  readonly fields: Fields<S>;
  open(host: Host<S>): Opened<S>;
}

/** A view of any state, for the list of views. */
export interface AnyView {
  readonly name: string;
  readonly title: string;
  /** Opens the view with the fields of an address. Returns the problems of the address with it. */
  mount(host: Mount, texts: ReadonlyMap<string, readonly string[]>): Mounted;
}

export interface Mount {
  readonly root: HTMLElement;
  readonly core: Core;
  readonly embed: boolean;
  go(hash: string, push: boolean): void;
  url(hash: string): string;
  report(messages: readonly string[]): void;
}

export interface Mounted {
  read(texts: ReadonlyMap<string, readonly string[]>): void;
  close(): void;
}
