import { follow } from "../../../scripts/document/references.ts";
import { isNode, listOf, type Node, nodeOf, textOf, textsOf } from "../../../scripts/document/values.ts";

/** Contents of the document by subject and name, each a line of text. */
export type Facts = Record<string, Record<string, string>>;

/** The facts of the operations of an area, in the notations of `readOperations`, `readResponses` and `readSchemas`. */
export interface AreaFacts {
  operations: Facts;
  responses: Facts;
  /** The objects in responses. */
  bodies: Facts;
}

const lower: [string, string][] = [
  ["minimum", ">="],
  ["minItems", ">="],
];
const upper: [string, string][] = [
  ["maxLength", "<="],
  ["maxItems", "<="],
  ["maxProperties", "<="],
  ["maximum", "<="],
];
/** Keywords that the notation covers, or that do not affect a value. */
const covered = new Set([
  ..."$ref type format enum const pattern properties required items additionalProperties propertyNames".split(
    " ",
  ),
  ..."oneOf anyOf not if then else default contentEncoding x-extensible-enum x-enum-varnames x-technical-limit x-prefix x-variant-by-request x-utc-offset".split(
    " ",
  ),
  ..."title description x-encodes x-leaves-unspecified".split(" "),
  ...[...lower, ...upper].map(([keyword]) => keyword),
]);

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? "";

/** The limits of the service, without technical limits. */
const limits = (schema: Node): string[] =>
  schema["x-technical-limit"] === true
    ? []
    : [...lower, ...upper]
        .filter(([keyword]) => schema[keyword] !== undefined && schema["x-technical-limit"] !== keyword)
        .map(([keyword, sign]) => `${sign}${schema[keyword]}`);

const variants = (schema: Node): string[] =>
  ["oneOf", "anyOf"]
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => `${keyword} ${listOf(schema[keyword]).map(shape).join(" | ")}`);

/** The properties that a condition changes, and what it requires. */
const consequence = (schema: unknown): string =>
  [...Object.entries(properties(nodeOf(schema))).map((entry) => entry.join(" ")), shape(schema)]
    .filter((part) => part !== "")
    .join(", ");

const conditions = (schema: Node): string[] => [
  ...(schema.not === undefined ? [] : [`not (${shape(schema.not)})`]),
  ...(schema.if === undefined ? [] : [`if ${shape(schema.if)} then ${consequence(schema.then)}`]),
  ...(schema.else === undefined ? [] : [`else ${consequence(schema.else)}`]),
];

/** A schema in one line: `array of EmailAddress <=50`, `string|null date-time`. */
export const shape = (value: unknown): string => {
  const schema = nodeOf(value);
  if (typeof value === "boolean") return String(value);
  const words = [
    typeof schema.$ref === "string" ? nameOf(schema.$ref) : textsOf(schema.type).join("|"),
    schema.items === undefined ? "" : `of ${shape(schema.items) || "anything"}`,
    schema.propertyNames === undefined ? "" : `named ${shape(schema.propertyNames)}`,
    schema.additionalProperties === true
      ? "and more"
      : schema.additionalProperties === undefined
        ? ""
        : `of ${shape(schema.additionalProperties) || "anything"}`,
    textOf(schema.format),
    schema["x-utc-offset"] === undefined ? "" : `with offset ${schema["x-utc-offset"]}`,
    textOf(schema.contentEncoding),
    schema.pattern === undefined ? "" : `/${schema.pattern}/`,
    schema["x-prefix"] === undefined ? "" : `starts with ${schema["x-prefix"]}`,
    schema.const === undefined ? "" : `= ${schema.const}`,
    ...(Array.isArray(schema.enum) ? [`closed: ${schema.enum.join(" ")}`] : []),
    ...(Array.isArray(schema["x-extensible-enum"]) ? [`open: ${schema["x-extensible-enum"].join(" ")}`] : []),
    schema.default === undefined ? "" : `default ${schema.default}`,
    ...limits(schema),
    ...variants(schema),
    schema["x-variant-by-request"] === undefined ? "" : `${schema["x-variant-by-request"]} as in the request`,
    ...conditions(schema),
    ...Object.keys(schema).filter((keyword) => !covered.has(keyword)),
  ];
  const required = schema.properties === undefined ? textsOf(listOf(schema.required)) : [];
  return [...words, ...(required.length > 0 ? [`has ${required.join(" ")}`] : [])]
    .filter((word) => word !== "")
    .join(" ");
};

/** The properties of an object, each with its shape; an asterisk marks required properties. */
export const properties = (schema: Node): Record<string, string> => {
  const required = textsOf(listOf(schema.required));
  return Object.fromEntries(
    Object.entries(nodeOf(schema.properties)).flatMap(([name, value]) => {
      const star = required.includes(name) ? "* " : "";
      const inner = isNode(value) && isNode(value.properties) ? Object.entries(properties(value)) : [];
      return [[name, star + shape(value)], ...inner.map(([key, text]) => [`${name}.${key}`, text])];
    }),
  );
};

/** The name of the component that the value refers to, otherwise its shape. */
export const named = (document: Node, value: unknown): string =>
  typeof nodeOf(value).$ref === "string" ? String(follow(document, [], value).path.at(-1)) : shape(value);
