// A report: pages that Python writes, with the answers in them. Python embeds this script, its style and Vega.

import "./report.css";
import { offerAnswer } from "./answer.ts";
import { offerDeadline } from "./deadline.ts";
import { offerCounting, offerFilter } from "./filter.ts";
import { layOut, refreshAll } from "./panel.ts";
import { leave } from "./reading.ts";
import { root } from "./state.ts";
import { explainTerms } from "./tip.ts";

const redraw = () => void refreshAll();
layOut();
offerAnswer();
offerFilter(redraw);
offerCounting(redraw);
offerDeadline(redraw);
explainTerms();
addEventListener("scroll", leave, { passive: true });
requestAnimationFrame(() =>
  refreshAll().then(() => {
    root.dataset["readyMs"] = String(Math.round(performance.now()));
    root.dataset["ready"] = "true";
  }),
);
