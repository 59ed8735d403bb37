// Links to the same page of other versions, if the site is published beside them: site/publish.py writes the list.
"use strict";
(async () => {
  const root = new URL(document.documentElement.dataset.content_root, document.baseURI);
  // The studio and a folder opened from a disk have no list, and a page without one stays as it is.
  const answer = await fetch(new URL("../versions.json", root)).catch(() => undefined);
  if (!answer?.ok) return;
  const versions = await answer.json();
  const current = root.pathname.split("/").at(-2);
  const page = document.baseURI.slice(root.href.length);

  const list = document.createElement("ul");
  for (const version of versions) {
    const link = document.createElement("a");
    link.href = new URL(`../${encodeURIComponent(version)}/${page}`, root);
    link.textContent = version;
    if (version === current) link.setAttribute("aria-current", "true");
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  const menu = document.createElement("details");
  menu.className = "versions";
  const summary = document.createElement("summary");
  summary.textContent = `Version ${current}`;
  menu.append(summary, list);
  document.querySelector(".sidebar-sticky")?.append(menu);
})();
