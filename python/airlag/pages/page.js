// Draws every chart of the page, one after the other, and says so on the root element:
// data-drawn is how many are drawn, data-drawn-ms when the last one was, ms after the page began.
(async () => {
  "use strict";
  const root = document.documentElement;
  const specs = JSON.parse(document.getElementById("specs").textContent);
  let drawn = 0;
  let failed = 0;
  for (const { name, renderer, spec } of specs) {
    const figure = document.getElementById("chart-" + name);
    try {
      await vegaEmbed(figure, spec, {
        mode: "vega-lite",
        renderer,
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: "airlag-" + name,
      });
      drawn += 1;
    } catch (error) {
      failed += 1;
      figure.className = "failed";
      figure.textContent = "This chart could not be drawn: " + error.message;
      console.error(error);
    }
  }
  root.dataset.failed = String(failed);
  root.dataset.drawnMs = String(Math.round(performance.now()));
  root.dataset.drawn = String(drawn);
})();
