import { el } from "./dom.ts";

/** A property, string, word or number in a JSON text. */
interface Token {
  kind: "k" | "s" | "w" | "n";
  start: number;
  end: number;
}

const pattern = /"(?:[^"\\\n]|\\.)*"(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;

/** Longer texts have no colors. */
const longest = 100_000;

/** The tokens of a text that need not be valid. */
export function tokensOf(text: string): Token[] {
  if (text.length > longest) return [];
  return [...text.matchAll(pattern)].map(({ 0: found, 1: colon, index: start }) => {
    if (colon !== undefined) return { kind: "k", start, end: start + found.length - colon.length };
    const kind = found.startsWith('"') ? "s" : /^[a-z]/.test(found) ? "w" : "n";
    return { kind, start, end: start + found.length };
  });
}

/** The text with its colors. */
export function coloredJson(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let at = 0;
  for (const { kind, start, end } of tokensOf(text)) {
    fragment.append(text.slice(at, start), el("span", { class: kind }, text.slice(start, end)));
    at = end;
  }
  fragment.append(text.slice(at));
  return fragment;
}

/** A list of strings or numbers in indented JSON. Strings have no line breaks there. */
const list = /\[\n\s*((?:"(?:[^"\\\n]|\\.)*"|[-\w.]+)(?:,\n\s*(?:"(?:[^"\\\n]|\\.)*"|[-\w.]+))*)\n\s*\]/g;

/** An indented text of JSON with short lists in one line; any other text is unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replaceAll(list, (lines, items: string) => {
      const line = `[${items.replaceAll(/,\n\s*/g, ", ")}]`;
      return line.length > 60 ? lines : line;
    });
  } catch {
    return text;
  }
}

/** A text field for JSON. Its colors are highlights, which leave its text and the caret alone. */
export class JsonEditor {
  readonly element: HTMLElement;

  constructor(label: string) {
    const attributes = { role: "textbox", "aria-multiline": "true", "aria-label": label, tabindex: "0" };
    this.element = el("pre", { class: "edit", spellcheck: "false", ...attributes });
    this.element.contentEditable = "plaintext-only";
    this.element.addEventListener("input", () => this.#color());
  }

  get value(): string {
    // A line break that the reader has entered is an element.
    return this.element.innerText;
  }

  set value(text: string) {
    this.element.replaceChildren(text);
    this.#color();
  }

  #color(): void {
    if (!("highlights" in CSS)) return;
    this.element.normalize();
    const texts = [...this.element.childNodes].filter((node) => node instanceof Text);
    const tokens = texts.flatMap((text) => tokensOf(text.data).map((token) => ({ ...token, text })));
    for (const kind of ["k", "s", "w", "n"] as const) {
      const ranges = tokens
        .filter((token) => token.kind === kind)
        .map(({ start, end, text }) => {
          const from = { startContainer: text, startOffset: start };
          return new StaticRange({ ...from, endContainer: text, endOffset: end });
        });
      CSS.highlights.set(`try-${kind}`, new Highlight(...ranges));
    }
  }
}
