// Runs in the browser on a page of the site and returns what it shows: `Content` in facts.test.ts.
(() => {
  for (const lineBreak of document.querySelectorAll("br")) lineBreak.replaceWith(" ");
  const main = document.querySelector("main");
  const code = [...main.querySelectorAll("pre")].map((block) =>
    [...block.querySelectorAll(".ec-line")].map((line) => line.textContent.trimEnd()).join("\n"),
  );
  for (const block of main.querySelectorAll("h1, h2, h3, h4, p, li, td, th, summary, div")) {
    block.prepend(" ");
    block.append(" ");
  }
  const fields = [...main.querySelectorAll(".fields li")].map((entry) => {
    const own = entry.cloneNode(true);
    for (const inner of own.querySelectorAll("ul:has(> li > p), .tabs, details")) inner.remove();
    return {
      name: own.querySelector("strong")?.textContent ?? "",
      presence: own.querySelector(".chip:is(.required, .optional)")?.textContent ?? "",
      text: own.textContent,
    };
  });
  const links = [...main.querySelectorAll("a[href]")].map((link) => link.getAttribute("href"));
  for (const hidden of main.querySelectorAll(".sl-anchor-link, button, fieldset, pre")) hidden.remove();
  return { text: main.textContent, code, fields, links };
})();
