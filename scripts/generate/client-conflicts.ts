/** A schema as a type in TypeScript. */
export interface NamedType {
  name: string;
  comment: string;
  text: string;
}

const neverProperty = /^( *)(\w+)\?: never;$/gm;
const variantName = /components\["schemas"\]\["(\w+)"\]/g;
const typeStart = "(typeof Conflict)";

/**
 * Gives a property that a variant of a union excludes a type with a name that says why, in place of `never`: an error of the compiler
 * shows the name. Members of an enum, since editors would complete strings, and the variants must stay discriminated.
 */
export function withConflicts(all: Map<string, NamedType>): Map<string, NamedType> {
  const changed = new Map(all);
  for (const { text } of all.values()) {
    const variants = [...text.matchAll(variantName)].flatMap(([, name = ""]) => all.get(name) ?? []);
    if (text.replaceAll(variantName, "").replaceAll(" | ", "") !== "") continue;
    for (const variant of variants) changed.set(variant.name, { ...variant, text: named(variant, variants) });
  }
  return changed;
}

function named({ text }: NamedType, variants: NamedType[]): string {
  const own = excludedBy(text);
  return text.replaceAll(neverProperty, (whole, pad: string, name: string) => {
    const others = variants.filter((variant) => !excludedBy(variant.text).includes(name));
    const conflicting = others
      .flatMap((variant) => excludedBy(variant.text))
      .filter((one) => !own.includes(one));
    if (conflicting.length === 0) return whole;
    const list = conflicting.join(", ").replace(/, (\w+)$/, " or $1");
    return `${pad}${name}?: ${typeStart}["${name} cannot be combined with ${list}"];`;
  });
}

const excludedBy = (text: string): string[] =>
  [...text.matchAll(neverProperty)].map(([, , name = ""]) => name);

/** The enum of all conflicts in a text; empty without any. */
export function conflictsIn(text: string): string[] {
  const names = new Set([...text.matchAll(/\(typeof Conflict\)\[("[^"]+")\]/g)].map(([, name]) => name));
  if (names.size === 0) return [];
  const members = [...names].map((name, index) => `    ${name} = "${index}",\n`);
  return [
    `/** Properties that exclude each other. No value has these types: they are texts for the errors of the compiler. */\nexport declare enum Conflict {\n${members.join("")}}\n`,
  ];
}
