/** What a fact is looked for in: plain text, the words of a type, small print, a block of code, a drawing, or where links lead. */
export type Part = "text" | "type" | "small" | "code" | "drawn" | "links";

/** Where a reader looks for something: a page, and the way to the place on it. */
export interface Spot {
  page: string;
  /** Headings, then names of fields, variants, examples or rows. */
  trail: readonly string[];
}

/** Something that the document says, and where a reader looks for it. */
export interface Fact extends Spot {
  /** What kind of thing it is: "description", "header", ... */
  kind: string;
  part: Part;
  text: string;
  /** Set where the text must not stand there; without text, where there must be no such place. */
  absent?: true;
}

/** A place within a place. */
export const below = ({ page, trail }: Spot, ...names: string[]): Spot => ({
  page,
  trail: [...trail, ...names],
});

/** The address of a name. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "-"}${letter.toLowerCase()}`);

export const operationSpot = (id: string): Spot => ({ page: `operations/${kebab(id)}`, trail: [] });

/** Where the catalogue tells of an error. */
export const errorPath = ({ id }: { id: string }): string => `errors/#${id.replaceAll(".", "-")}`;

/** Facts as they are collected. */
export class Facts {
  readonly all: Fact[] = [];

  /** Notes a fact, where there is one. */
  say(spot: Spot, kind: string, text: unknown, part: Part = "text"): void {
    if (text !== undefined && text !== null && text !== "")
      this.all.push({ ...spot, kind, part, text: String(text) });
  }

  sayNot(spot: Spot, kind: string, text: string, part: Part = "text"): void {
    this.all.push({ ...spot, kind, part, text, absent: true });
  }

  /** Notes that a link leads from a place to an address of the site. */
  leads(spot: Spot, address: string): void {
    this.say(spot, "link", address, "links");
  }

  /** Notes that there is no such place. */
  noPlace(spot: Spot, kind: string): void {
    this.sayNot(spot, kind, "");
  }

  /** The ids of the promises that a place carries, and of what it leaves open. */
  marks(spot: Spot, place: object): void {
    const { "x-encodes": encoded = [], "x-leaves-unspecified": open = [] } = place as Record<
      string,
      string[]
    >;
    for (const id of [...encoded, ...open]) this.say(spot, "id", id, "small");
    for (const id of encoded) this.leads(spot, `requirements/#${id}`);
    for (const id of open) this.leads(spot, `unspecified/#${id}`);
  }
}
