import { UserError } from "../../lib/user-error.ts";

const width = 110;

/**
 * A plain value as a TypeScript literal, on one line if it fits. A Map becomes an object; unlike an object, it keeps the
 * order of keys such as `500`.
 */
export function literal(value: unknown, indent = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const isList = Array.isArray(value);
  const partsAt = (inner: number): string[] =>
    isList
      ? value.map((item) => literal(item, inner))
      : entriesOf(value).map(([name, item]) => `${property(name)}: ${literal(item, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  // On one line, so that everything in it fits too.
  const parts = partsAt(Number.NEGATIVE_INFINITY).join(", ");
  const flat = isList || parts === "" ? open + parts + close : `{ ${parts} }`;
  if (flat.length + indent <= width) return flat;
  const lines = partsAt(indent + 2).map((text) => `${" ".repeat(indent + 2)}${text},\n`);
  return `${open}\n${lines.join("")}${" ".repeat(indent)}${close}`;
}

const entriesOf = (value: object): [string, unknown][] =>
  value instanceof Map ? [...value.entries()] : Object.entries(value);

/** A text as a documentation comment, indented by this number of spaces. */
export function documentation(text: string, indent = 0): string {
  const pad = " ".repeat(indent);
  const lines = text.trim().replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${pad}/** ${lines[0]} */\n`;
  return `${pad}/**\n${lines.map((line) => `${pad} * ${line}`.trimEnd()).join("\n")}\n${pad} */\n`;
}

/** A constant with its comment. @param type what the value satisfies */
export function constant(name: string, comment: string, value: unknown, type?: string): string {
  const kept = type === undefined ? "" : ` satisfies ${type}`;
  return `${documentation(comment)}export const ${name} = ${literal(value)} as const${kept};\n`;
}

/** A property name in an object literal, quoted if necessary. */
export function property(name: string): string {
  // As a plain or quoted name it would set the prototype instead of a property.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Rows by id. @throws UserError for a duplicate id, since one of the rows would be lost */
export function keyed<Row extends { id: string }>(rows: readonly Row[], table: string): Map<string, Row> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lost = rows.find((row) => byId.get(row.id) !== row);
  if (lost === undefined) return byId;
  throw new UserError(`${table}: duplicate id ${lost.id}`, { hint: "Rename one of the rows." });
}
