// Links to the same page of other versions. site/publish.py lists them; the list of a site that is not published is empty.
"use strict";
(async () => {
  const root = new URL(document.documentElement.dataset.content_root, document.baseURI);
  // A page from a disk must not read other files.
  if (root.protocol === "file:") return;
  const versions = await (await fetch(new URL("versions.json", root))).json();
  if (!versions.length) return;
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
