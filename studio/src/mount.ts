// A view with its state in the address.

import { read, write } from "./state.ts";
import type { AnyView, Host, View } from "./view.ts";

/** The view without the type of its state, so that views of several states fit into one list. */
export function mountable<S extends object>(view: View<S>): AnyView {
  const { name, title, fields } = view;
  return {
    name,
    title,
    mount(mount, texts) {
      const { root, core, embed } = mount;
      const host: Host<S> = {
        root,
        core,
        embed,
        record: (state, push) => mount.go(write(name, fields, state), push),
        address: (state) => mount.url(write(name, fields, state)),
        report: mount.report,
      };
      const opened = view.open(host);
      const show = (given: typeof texts) => {
        const { state, problems } = read(fields, given);
        mount.report(problems);
        opened.show(state);
      };
      show(texts);
      return { read: show, close: () => opened.close() };
    },
  };
}
