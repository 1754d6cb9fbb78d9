// Runs in the browser on a page of the site and returns its sections: `Section` in sections.ts.
(() => {
  const textOf = (node) => node.textContent.replaceAll(/\s+/g, " ").trim();
  const inline = new Set(["A", "B", "CODE", "EM", "I", "SPAN", "STRONG"]);
  const sections = [];
  let headings = [];

  function add(section) {
    const added = { section, text: "", type: "", small: "", drawn: "", links: "", code: [] };
    sections.push(added);
    return added;
  }

  const addBelow = (parent, name) => (name === undefined ? parent : add([...parent.section, name]));

  /** Bold text or a link at the start of a list entry is its name. */
  function nameOf(entry) {
    const first = entry.querySelector("strong, a[href]");
    return first && textOf(entry).startsWith(textOf(first)) ? textOf(first) : undefined;
  }

  /** The first cell without its small print and the link of its heading. */
  function rowName({ cells }) {
    const cell = cells[0].cloneNode(true);
    for (const small of cell.querySelectorAll("small, .sl-anchor-link")) small.remove();
    return textOf(cell);
  }

  const isTitle = (node) =>
    node.tagName === "P" && node.children.length === 1 && textOf(node) === textOf(node.children[0]);

  /** Reads an element that has its own section. Returns the section of the following text; undefined for other elements. */
  function readSection(node, parent, start) {
    if (/^H[234]$/.test(node.tagName) && node.closest("th") === null) {
      const level = Number(node.tagName[1]) - 2;
      headings = [...Array.from({ length: level }, (_, index) => headings[index] ?? ""), textOf(node)];
      const added = add(headings);
      readChildren(node, added);
      return added;
    }
    if (isTitle(node) && node.children[0].tagName === "STRONG") {
      const added = addBelow(start, textOf(node));
      readChildren(node, added);
      return added;
    }
    if (node.tagName === "LI") readChildren(node, addBelow(parent, nameOf(node)));
    else if (node.matches("tr.more"))
      readChildren(node, addBelow(parent, `| ${rowName(node.previousElementSibling)}`));
    else if (node.matches("tbody tr")) readChildren(node, addBelow(parent, `| ${rowName(node)}`));
    else if (node.matches("details.example"))
      readChildren(node, addBelow(parent, `example ${textOf(node.querySelector("summary code"))}`));
    else return undefined;
    return parent;
  }

  /** Reads an element that is not plain text. Returns whether it is read completely. */
  function readPart(node, section) {
    for (const link of node.matches("a[href]")
      ? [node]
      : node.tagName === "SMALL"
        ? node.querySelectorAll("a[href]")
        : [])
      section.links += `${link.getAttribute("href")} `;
    if (node.tagName === "SMALL") section.small += `${textOf(node)} `;
    else if (node.tagName === "svg")
      section.drawn += [...node.querySelectorAll("title, desc, text")].map(textOf).join(" ");
    else if (node.tagName === "PRE")
      section.code.push(
        [...node.querySelectorAll(".ec-line")].map((line) => line.textContent.trimEnd()).join("\n"),
      );
    else {
      if (node.tagName === "EM" && section.type === "") section.type = textOf(node);
      if (node.matches(".chip.required, .chip.presence")) section.type += `, ${textOf(node)}`;
      return node.matches(".sl-anchor-link, button, fieldset");
    }
    return true;
  }

  function readChildren(element, start) {
    let section = start;
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) section.text += node.textContent;
      if (node.nodeType !== Node.ELEMENT_NODE || readPart(node, section)) continue;
      if (!inline.has(node.tagName)) section.text += " ";
      const next = readSection(node, section, start);
      const last = next ?? readChildren(node, section);
      if (next !== undefined || node.matches(".sl-heading-wrapper")) section = last;
      if (!inline.has(node.tagName)) section.text += " ";
    }
    return section;
  }

  for (const lineBreak of document.querySelectorAll("br")) lineBreak.replaceWith(" ");
  const first = add([]);
  readChildren(document.querySelector("h1"), first);
  first.text += " ";
  readChildren(document.querySelector(".sl-markdown-content"), first);
  return sections;
})();
