// Follow one packet.

import { name } from "../state.ts";
import type { View } from "../view.ts";

interface State { link: string }

export const packet: View<State> = {
  name: "packet",
  title: "Follow one packet",
  fields: { link: name("nrf24-2m") },
  open: ({ root, core }) => ({
    show({ link }) {
      core.ask({ question: "links", link }).then(
        ({ answer }) => (root.textContent = answer[0]?.about ?? ""),
        (error: Error) => (root.textContent = error.message),
      );
    },
    close: () => undefined,
  }),
};
