// Runs in the browser on a page of the site, and gives what stands where on it: `Place` in places.ts says in which form.
(() => {
  const words = (node) => node.textContent.replaceAll(/\s+/g, " ").trim();
  const inline = new Set(["A", "B", "CODE", "EM", "I", "SPAN", "STRONG"]);
  const places = [];
  let section = [];

  function open(trail) {
    const place = { trail, text: "", type: "", small: "", drawn: "", links: "", code: [] };
    places.push(place);
    return place;
  }

  /** A bold word or a link that an entry of a list begins with names it. */
  function nameOf(entry) {
    const first = entry.querySelector("strong, a[href]");
    return first && words(entry).startsWith(words(first)) ? words(first) : undefined;
  }

  function below(place, name) {
    return name === undefined ? place : open([...place.trail, name]);
  }

  const isTitle = (node) =>
    node.tagName === "P" && node.children.length === 1 && words(node) === words(node.children[0]);

  /** Reads what has a place of its own. Gives the place that what follows belongs to, or undefined for all other elements. */
  function readPlace(node, place, start) {
    if (/^H[234]$/.test(node.tagName)) {
      const level = Number(node.tagName[1]) - 2;
      section = [...Array.from({ length: level }, (_, index) => section[index] ?? ""), words(node)];
      const opened = open(section);
      readAll(node, opened);
      return opened;
    }
    if (isTitle(node) && node.children[0].tagName === "STRONG") {
      const opened = below(start, words(node));
      readAll(node, opened);
      return opened;
    }
    if (node.tagName === "LI") readAll(node, below(place, nameOf(node)));
    else if (node.matches("tbody tr")) readAll(node, below(place, `| ${words(node.cells[0])}`));
    else if (node.matches("details.example"))
      readAll(node, below(place, words(node.querySelector("summary code"))));
    else return undefined;
    return place;
  }

  /** Reads what is not plain text. True where that was all. */
  function readPart(node, place) {
    for (const link of node.matches("a[href]") ? [node] : node.tagName === "SMALL" ? node.children : [])
      place.links += `${link.getAttribute("href")} `;
    if (node.tagName === "SMALL") place.small += `${words(node)} `;
    else if (node.tagName === "svg")
      place.drawn += [...node.querySelectorAll("title, desc, text")].map(words).join(" ");
    else if (node.tagName === "PRE")
      place.code.push(
        [...node.querySelectorAll(".ec-line")].map((line) => line.textContent.trimEnd()).join("\n"),
      );
    else {
      if (node.tagName === "EM" && place.type === "") place.type = words(node);
      return node.matches(".sl-anchor-link");
    }
    return true;
  }

  function readAll(element, start) {
    let place = start;
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) place.text += node.textContent;
      if (node.nodeType !== Node.ELEMENT_NODE || readPart(node, place)) continue;
      if (!inline.has(node.tagName)) place.text += " ";
      const next = readPlace(node, place, start);
      const last = next ?? readAll(node, place);
      if (next !== undefined || node.matches(".sl-heading-wrapper")) place = last;
      if (!inline.has(node.tagName)) place.text += " ";
    }
    return place;
  }

  for (const lineBreak of document.querySelectorAll("br")) lineBreak.replaceWith(" ");
  const first = open([]);
  readAll(document.querySelector("h1"), first);
  first.text += " ";
  readAll(document.querySelector(".sl-markdown-content"), first);
  return places;
})();
