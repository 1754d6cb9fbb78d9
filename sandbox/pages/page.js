/**
 * The script of the pages, which work without it: it requests the page again every second and replaces what has changed in the elements
 * `data-live`, and shows the buttons that copy. The server has escaped every text, and a parsed document runs nothing. A page in the
 * background requests nothing, and after a slow response the next request waits longer.
 */
(() => {
  document.documentElement.classList.add("js");

  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("button.copy");
    if (button === null) return;
    const code = button.closest(".copies").querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Browsers have no clipboard for a host name without HTTPS.
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });

  document.addEventListener("submit", (event) => {
    const { ask } = event.target.dataset;
    if (ask !== undefined && !confirm(ask)) event.preventDefault();
  });

  // In a narrow window the sections are one row that scrolls.
  const sections = document.querySelector("nav.main");
  const current = sections.querySelector("[aria-current]");
  if (current !== null)
    sections.scrollLeft = current.offsetLeft - (sections.clientWidth - current.offsetWidth) / 2;

  // Beside the list it is always open; above the list only as long as that is empty.
  const start = document.querySelector(".start");
  const wide = matchMedia("(min-width: 62.01rem)");
  const fold = () => {
    start.open = wide.matches || document.querySelector('[data-live="list"] .rows') === null;
  };
  if (start !== null) {
    fold();
    wide.addEventListener("change", fold);
  }

  const regions = () => Array.from(document.querySelectorAll("[data-live]"));
  const isActive = () => regions().some((region) => region.closest("main") && !("final" in region.dataset));

  // Rows that are the same stay: their focus, their selection, and the position of the page.
  const mergeRows = (list, next) => {
    const rows = Array.from(next.children);
    const keys = new Set(rows.map((row) => row.dataset.key));
    for (const row of Array.from(list.children)) if (!keys.has(row.dataset.key)) row.remove();
    const known = new Map(Array.from(list.children, (row) => [row.dataset.key, row]));
    let place = list.firstElementChild;
    for (const row of rows) {
      const old = known.get(row.dataset.key);
      if (old === undefined) {
        row.classList.add("new");
        list.insertBefore(row, place);
        continue;
      }
      if (old.innerHTML !== row.innerHTML) old.replaceChildren(...row.childNodes);
      if (old === place) place = place.nextElementSibling;
      else list.insertBefore(old, place);
    }
  };

  const update = (region, next) => {
    if ("final" in next.dataset) region.dataset.final = "";
    for (const row of region.querySelectorAll(".new")) row.removeAttribute("class");
    if (region.innerHTML === next.innerHTML) return;
    const list = region.querySelector(":scope > .rows");
    const rows = next.querySelector(":scope > .rows");
    if (list === null || rows === null) {
      if (rows !== null) for (const row of rows.children) row.classList.add("new");
      region.replaceChildren(...next.childNodes);
      return;
    }
    mergeRows(list, rows);
    if (region.innerHTML === next.innerHTML) return;
    while (list.nextSibling !== null) list.nextSibling.remove();
    while (rows.nextSibling !== null) region.append(rows.nextSibling);
  };

  const status = document.querySelector(".live");
  const show = (text, isBad) => {
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("bad", isBad);
  };

  const refresh = async () => {
    const response = await fetch(location.href, { cache: "no-store" });
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const region of regions()) {
      const next = page.querySelector(`[data-live="${region.dataset.live}"]`);
      if (next !== null) update(region, next);
    }
  };

  const run = async () => {
    const began = performance.now();
    let wait = 1000;
    try {
      if (!document.hidden) await refresh();
      show(isActive() ? "Live" : "", false);
    } catch {
      show("Connection lost", true);
      wait = 3000;
    }
    if (isActive()) setTimeout(run, Math.max(wait, 9 * (performance.now() - began)));
  };
  if (!isActive()) return;
  show("Live", false);
  setTimeout(run, 1000);
})();
