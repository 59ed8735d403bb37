// The views, in the order of the header. A view is a folder, and a line here.

import { capture } from "./capture/view.ts";
import { choose } from "./choose/view.ts";
import { load } from "./load/view.ts";
import { packet } from "./packet/view.ts";
import { mountable } from "./mount.ts";
import type { AnyView } from "./view.ts";

export const VIEWS: readonly AnyView[] = [
  mountable(packet),
  mountable(capture),
  mountable(choose),
  mountable(load),
];
