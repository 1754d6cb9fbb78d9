/** Text without Markdown syntax, with straight quotes and three dots. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll("…", "...")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Matches the text, but not as a part of a longer word or number; ignores case. */
export function wholeWords(text: string): RegExp {
  const [before, after] = [/^\w/.test(text) ? "(?<![\\w-]|\\d,)" : "", /\w$/.test(text) ? "(?![\\w-])" : ""];
  return new RegExp(`${before}${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}${after}`, "i");
}

/** What must contain a fact: plain text, a type, small print, a code block, a diagram, or the targets of links. */
export type Part = "text" | "type" | "small" | "code" | "drawn" | "links";

/** A section of a page. */
export interface Location {
  page: string;
  /** Headings, then names of fields, variants, examples or rows. */
  section: readonly string[];
}

/** Something that the document says, and where a reader expects it. */
export interface Fact extends Location {
  /** "description", "header" ... */
  kind: string;
  part: Part;
  text: string;
  /** The text must not be there; if it is empty, the section must not exist. */
  absent?: true;
}

export const below = ({ page, section }: Location, ...names: string[]): Location => ({
  page,
  section: [...section, ...names],
});

export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "-"}${letter.toLowerCase()}`);

/** The name of a type as the pages show it: `Send request` for `SendRequest`. */
export const inWords = (name: string): string =>
  kebab(name)
    .replaceAll("-", " ")
    .replace(/^./, (first) => first.toUpperCase());

export const operationLocation = (id: string): Location => ({ page: `operations/${kebab(id)}`, section: [] });

export const errorPath = ({ id }: { id: string }): string => `errors/#${id.replaceAll(".", "-")}`;

export class Facts {
  readonly all: Fact[] = [];

  /** Adds a fact for each text that is there. */
  add(location: Location, kind: string, texts: unknown, part: Part = "text"): void {
    for (const text of [texts].flat())
      if (text !== undefined && text !== null && text !== "")
        this.all.push({ ...location, kind, part, text: String(text) });
  }

  addAbsent(location: Location, kind: string, text: string, part: Part = "text"): void {
    this.all.push({ ...location, kind, part, text, absent: true });
  }

  /** A link to a path of the site. */
  addLink(location: Location, path: string): void {
    this.add(location, "link", path, "links");
  }

  addNoSection(location: Location, kind: string): void {
    this.addAbsent(location, kind, "");
  }

  /** The ids of the requirements that a part of the document encodes, and of what it leaves unspecified. */
  addIds(location: Location, part: object): void {
    const { "x-encodes": encoded = [], "x-leaves-unspecified": unspecified = [] } = part as Record<
      string,
      string[]
    >;
    this.add(location, "id", [...encoded, ...unspecified], "small");
    for (const id of encoded) this.addLink(location, `requirements/#${id}`);
    for (const id of unspecified) this.addLink(location, `unspecified/#${id}`);
  }
}
