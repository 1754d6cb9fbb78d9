import ts from "typescript";
import { capitalized } from "../../lib/text.ts";

const reference = /components\["(schemas|responses|parameters|headers)"\]\["(\w+)"\]/g;

/**
 * The schemas of request and response bodies as flat types: aliases of strings and numbers are inlined, so that an
 * editor shows `from: string`. Schemas that no operation uses are omitted.
 */
export function modelsFile(types: string): string {
  const file = ts.createSourceFile("types.ts", types, ts.ScriptTarget.Latest, true);
  const all = withConflicts(new Map(schemasOf(file).map((schema) => [schema.name, schema])));
  const reached = reach(bodyNames(file), all);
  const printed = [...all.values()]
    .filter(({ name, text }) => reached.has(name) && (!isPlain(name, all) || isSet(text)))
    .map(({ name, comment, text }) => `${comment}${declare(name, flat(text, all))}`);
  const text = [...printed, ...queriesOf(file, all)].join("\n");
  return [text, ...conflictsIn(text)].join("\n");
}

/** The query parameters of each operation that has any, as a type such as `ListContactsQuery`. */
function queriesOf(file: ts.SourceFile, all: Map<string, NamedType>): string[] {
  const parameters = new Map(membersOf(groupOf(file, "parameters")).map((one) => [nameOf(one), one.type]));
  const inPlace = (text: string): string =>
    text.replaceAll(reference, (whole, kind: string, name: string) =>
      kind === "parameters" ? (parameters.get(name)?.getText(file) ?? whole) : whole,
    );
  return interfaceNamed(file, "operations").members.flatMap((operation) => {
    const query = member(member((operation as ts.PropertySignature).type, "parameters"), "query");
    if (query === undefined || !ts.isTypeLiteralNode(query)) return [];
    const id = nameOf(operation);
    const text = query.getText(file).replaceAll("\n            ", "\n");
    const name = `${capitalized(id)}Query`;
    return [`/** The query parameters of ${id}. */\n${declare(name, flat(inPlace(text), all))}`];
  });
}

const nameOf = (node: ts.TypeElement): string => node.name?.getText() ?? "";

const membersOf = (type: ts.TypeNode | undefined): ts.PropertySignature[] =>
  type !== undefined && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : [];

const member = (type: ts.TypeNode | undefined, name: string): ts.TypeNode | undefined =>
  membersOf(type).find((one) => nameOf(one) === name)?.type;

/** The paths and operations for openapi-fetch, on top of the flat types and without comments. */
export function pathsFile(types: string): string {
  const file = ts.createSourceFile("types.ts", types, ts.ScriptTarget.Latest, true);
  const all = new Map(schemasOf(file).map((schema) => [schema.name, schema]));
  const components = ["responses", "parameters"].map((kind) => [kind, groupOf(file, kind)] as const);
  const text = [
    ...["paths", "operations"].map((name) => interfaceNamed(file, name)).map(withoutComments),
    `interface components {\n${components.map(([kind, node]) => `    ${kind}: ${node === undefined ? "never" : withoutComments(node)};`).join("\n")}\n}`,
  ].join("\n\n");
  const used = new Set<string>();
  const body = flat(text, all, (name) => used.add(name));
  return `import type { ${[...used].sort().join(", ")} } from "./models.ts";\n\n${body}\n`;
}

function interfaceNamed(file: ts.SourceFile, name: string): ts.InterfaceDeclaration {
  const found = file.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (found === undefined) throw new TypeError(`types.ts has no interface ${name}`);
  return found;
}

const groupOf = (file: ts.SourceFile, kind: string): ts.TypeNode | undefined =>
  interfaceNamed(file, "components")
    .members.filter(ts.isPropertySignature)
    .find((one) => nameOf(one) === kind)?.type;

const schemasOf = (file: ts.SourceFile): NamedType[] =>
  membersOf(groupOf(file, "schemas")).map((schema) => ({
    name: nameOf(schema),
    comment: commentsOf(schema, file),
    text: (schema.type?.getText(file) ?? "unknown").replaceAll("\n        ", "\n"),
  }));

function commentsOf(node: ts.Node, file: ts.SourceFile): string {
  const text = file.text
    .slice(node.getFullStart(), node.getStart(file))
    .replaceAll("\n        ", "\n")
    .trim();
  return text === "" ? "" : `${tidy(text)}\n`;
}

/** Removes the comment tags that repeat the type. */
const tidy = (text: string): string => text.replaceAll("@description ", "").replaceAll(/\n \* @enum .*/g, "");

const withoutComments = (node: ts.Node): string =>
  ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());

function bodyNames(file: ts.SourceFile): string[] {
  const nodes = [interfaceNamed(file, "operations"), groupOf(file, "responses"), groupOf(file, "parameters")];
  const text = nodes.map((node) => node?.getText(file));
  return [...text.join("\n").matchAll(reference)]
    .filter(([, kind]) => kind === "schemas")
    .map(([, , name = ""]) => name);
}

function reach(names: string[], all: Map<string, NamedType>, reached = new Set<string>()): Set<string> {
  for (const name of names.filter((one) => !reached.has(one))) {
    reached.add(name);
    const inner = [...(all.get(name)?.text ?? "").matchAll(reference)].map(([, , inside = ""]) => inside);
    reach(inner, all, reached);
  }
  return reached;
}

/** Whether a type is a union of strings, which keeps its name. */
const isSet = (text: string): boolean => text.includes('" | "');

/** Whether a type is a string, a number or an array of these, which is inlined. */
function isPlain(name: string, all: Map<string, NamedType>): boolean {
  const text = all.get(name)?.text ?? "";
  if (isSet(text) || text.includes("{") || text.startsWith("Record")) return false;
  return [...text.matchAll(reference)].every(([, , inner = ""]) => isPlain(inner, all));
}

function flat(text: string, all: Map<string, NamedType>, use: (name: string) => void = () => {}): string {
  const written = text.replaceAll(reference, (whole, kind: string, name: string) => {
    if (kind !== "schemas") return whole;
    if (isPlain(name, all)) return flat(all.get(name)?.text ?? "", all, use);
    use(name);
    return name;
  });
  return tidy(written);
}

const declare = (name: string, text: string): string =>
  text.startsWith("{") && text.endsWith("}") && !text.includes("} |")
    ? `export interface ${name} ${text}\n`
    : `export type ${name} = ${text};\n`;

interface NamedType {
  name: string;
  comment: string;
  text: string;
}

const neverProperty = /^( *)(\w+)\?: never;$/gm;
const variantName = /components\["schemas"\]\["(\w+)"\]/g;

/**
 * Gives a property that a variant of a union excludes a type with a name that says why, in place of `never`: an error of the compiler
 * shows the name. Members of an enum, since editors would complete strings, and the variants must stay discriminated.
 */
function withConflicts(all: Map<string, NamedType>): Map<string, NamedType> {
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
    return `${pad}${name}?: (typeof Conflict)["${name} cannot be combined with ${list}"];`;
  });
}

const excludedBy = (text: string): string[] =>
  [...text.matchAll(neverProperty)].map(([, , name = ""]) => name);

/** The enum of all conflicts in a text; empty without any. */
function conflictsIn(text: string): string[] {
  const names = new Set([...text.matchAll(/\(typeof Conflict\)\[("[^"]+")\]/g)].map(([, name]) => name));
  if (names.size === 0) return [];
  const members = [...names].map((name, index) => `    ${name} = "${index}",\n`);
  return [
    `/** Properties that exclude each other. No value has these types: they are texts for the errors of the compiler. */\nexport declare enum Conflict {\n${members.join("")}}\n`,
  ];
}
