// Starts the page's script once the document is complete.

document.body.append(tip);
layOut();
offerFilter();
offerCounting();
offerDeadline();
explainTerms();
addEventListener("scroll", leave, { passive: true });
requestAnimationFrame(() =>
  refreshAll().then(() => {
    root.dataset.readyMs = Math.round(performance.now());
    root.dataset.ready = "true";
  }),
);
