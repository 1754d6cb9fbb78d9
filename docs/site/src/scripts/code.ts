/** Long URLs and paths in code break after a slash. What is copied stays the same. */
export function breakAfterSlashes(): void {
  for (const code of document.querySelectorAll(".sl-markdown-content code"))
    if (code.textContent.includes("/")) for (const text of textsIn(code)) addBreaks(text);
}

function textsIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

/** After the slashes of `a/b/c`, not after those of `https://`. */
function addBreaks(text: Text): void {
  const parts = text.data.split(/(?<=[^/:]\/)(?=[\w{])/);
  if (parts.length > 1)
    text.replaceWith(...parts.flatMap((part) => [document.createElement("wbr"), part]).slice(1));
}

/**
 * A command breaks before its options and before a URL that does not fit beside what stands before it.
 * Only a URL that is longer than a line breaks, and an option stays with the beginning of its value.
 */
export function keepWords(): void {
  for (const word of document.querySelectorAll<HTMLElement>('[data-language="sh"] .code > span')) {
    if (/^["']?https?:/.test(word.textContent)) {
      word.style.display = "inline-block";
      // It would inherit the negative indent of the line.
      word.style.textIndent = "0";
    }
    // A longer option would make the line wider than a phone.
    if (!word.textContent.startsWith("-") || word.textContent.length > 20) continue;
    word.style.whiteSpace = "pre";
    const space = word.nextElementSibling;
    if (space instanceof HTMLElement && space.textContent === " ") space.style.whiteSpace = "pre";
  }
}

/** The backslash at the end of a line in a shell never stands alone: it stays with the word before. */
export function keepBackslashes(): void {
  for (const end of document.querySelectorAll(".ec-line .code > :last-child")) {
    const space = end.previousElementSibling;
    if (end.textContent !== "\\" || !(space instanceof HTMLElement) || space.textContent !== " ") continue;
    space.append(end);
    space.style.whiteSpace = "pre";
    // A line may break beside a URL that is a box of its own.
    const word = space.previousElementSibling;
    if (word instanceof HTMLElement && word.style.display !== "") word.append(space);
  }
}

/** A file of the site is saved, not shown. */
export function saveFiles(): void {
  const ends = [".json", ".yaml", ".ts", ".tgz"];
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".sl-markdown-content a[href]"))
    if (link.origin === location.origin && ends.some((end) => link.pathname.endsWith(end)))
      link.download = "";
}
