import type { Verdict } from "../../../scripts/diff/comparison.ts";
import { listOf, type Node, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { type Change, pick, without } from "./edit.ts";

/** An edit of a schema, with its verdicts in requests and in responses. */
export type SchemaAction = [title: string, change: Change, request: Verdict, response: Verdict];

const bounds = ["maxLength", "maxItems", "maxProperties", "maximum"];
const texts = (list: unknown): string[] => textsOf(list ?? []);
const hasProperties = (node: Node): boolean => node.type === "object" && "properties" in node;

/** The edits of a schema, made from a name and a number. */
export function schemaActions(name: string, number: number): SchemaAction[] {
  return [
    ...propertyActions(name, number),
    ...valueActions(name, number),
    ...limitActions(number),
    ...annotationActions(name),
  ];
}

function propertyActions(name: string, number: number): SchemaAction[] {
  const added = { type: "string", maxLength: number + 1 };
  const field = (node: Node): string | undefined => pick(Object.keys(nodeOf(node.properties)), number);
  const required = (node: Node): string[] => texts(node.required);
  const remove: Change = (node) => {
    const gone = field(node);
    if (gone === undefined) return undefined;
    const properties = without(nodeOf(node.properties), gone);
    const left = required(node).filter((one) => one !== gone);
    return { ...node, properties, ...("required" in node ? { required: left } : {}) };
  };
  const rename: Change = (node) => {
    const from = field(node);
    if (from === undefined || name in nodeOf(node.properties)) return undefined;
    const entries = Object.entries(nodeOf(node.properties)).map(([key, value]) => [
      key === from ? name : key,
      value,
    ]);
    const names = required(node).map((one) => (one === from ? name : one));
    return {
      ...node,
      properties: Object.fromEntries(entries),
      ...("required" in node ? { required: names } : {}),
    };
  };
  const add =
    (isRequired: boolean): Change =>
    (node) => {
      if (!hasProperties(node) || name in nodeOf(node.properties)) return undefined;
      const properties = { ...nodeOf(node.properties), [name]: added };
      return { ...node, properties, ...(isRequired ? { required: [...required(node), name] } : {}) };
    };
  const demand: Change = (node) => {
    const free = Object.keys(nodeOf(node.properties)).filter((one) => !required(node).includes(one));
    const one = pick(free, number);
    return one === undefined ? undefined : { ...node, required: [...required(node), one] };
  };
  const waive: Change = (node) => {
    const one = hasProperties(node) ? pick(required(node), number) : undefined;
    return one === undefined
      ? undefined
      : { ...node, required: required(node).filter((other) => other !== one) };
  };
  return [
    ["remove a property", remove, "breaking", "breaking"],
    ["rename a property", rename, "breaking", "breaking"],
    ["add an optional property", add(false), "additive", "additive"],
    ["add a required property", add(true), "breaking", "additive"],
    ["require a property", demand, "breaking", "additive"],
    ["make a property optional", waive, "additive", "breaking"],
  ];
}

function valueActions(name: string, number: number): SchemaAction[] {
  const retype: Change = (node) =>
    typeof node.type === "string"
      ? { ...node, type: node.type === "string" ? "integer" : "string" }
      : undefined;
  // Beside an enum, null is allowed only if it is one of the values.
  const mayBeNull: Change = (node) =>
    typeof node.type === "string" && !("enum" in node) ? { ...node, type: [node.type, "null"] } : undefined;
  const loseType: Change = (node) =>
    Array.isArray(node.type) && node.type.length > 1 ? { ...node, type: node.type.slice(1) } : undefined;
  const grow =
    (key: string): Change =>
    (node) =>
      key in node && !listOf(node[key]).includes(name)
        ? { ...node, [key]: [...listOf(node[key]), name] }
        : undefined;
  const shrink =
    (key: string): Change =>
    (node) => {
      const gone = pick(listOf(node[key]), number);
      return gone === undefined
        ? undefined
        : { ...node, [key]: listOf(node[key]).filter((one) => one !== gone) };
    };
  const reconstant: Change = (node) => ("const" in node ? { ...node, const: name } : undefined);
  const repattern: Change = (node) => ("pattern" in node ? { ...node, pattern: `^${name}` } : undefined);
  const lose =
    (key: string): Change =>
    (node) =>
      key in node ? without(node, key) : undefined;
  return [
    ["change the type", retype, "breaking", "breaking"],
    ["allow null", mayBeNull, "additive", "breaking"],
    ["remove a type", loseType, "breaking", "additive"],
    ["add an enum value", grow("enum"), "additive", "breaking"],
    ["remove an enum value", shrink("enum"), "breaking", "breaking"],
    ["add an extensible enum value", grow("x-extensible-enum"), "additive", "additive"],
    ["remove an extensible enum value", shrink("x-extensible-enum"), "breaking", "breaking"],
    ["change the constant", reconstant, "breaking", "breaking"],
    ["change the pattern", repattern, "breaking", "breaking"],
    ["remove the pattern", lose("pattern"), "additive", "breaking"],
    ["remove the format", lose("format"), "additive", "breaking"],
  ];
}

function limitActions(number: number): SchemaAction[] {
  const move =
    (isTechnical: boolean, by: number): Change =>
    (node) => {
      const key = bounds.find((one) => typeof node[one] === "number");
      if (key === undefined || (node["x-technical-limit"] === true) !== isTechnical) return undefined;
      const value = Number(node[key]) + by;
      return value < 0 ? undefined : { ...node, [key]: value };
    };
  return [
    ["raise a limit", move(false, number + 1), "additive", "breaking"],
    ["lower a limit", move(false, -number - 1), "breaking", "additive"],
    ["raise a technical limit", move(true, number + 1), "editorial", "editorial"],
    ["lower a technical limit", move(true, -number - 1), "editorial", "editorial"],
  ];
}

function annotationActions(name: string): SchemaAction[] {
  const words: Change = (node) => ({ ...node, description: `About ${name}.` });
  const mark: Change = (node) => ({ ...node, "x-encodes": [...texts(node["x-encodes"]), "GEN-1"] });
  const example: Change = (node) => ({ ...node, examples: [name] });
  return [
    ["describe", words, "editorial", "editorial"],
    ["mark", mark, "editorial", "editorial"],
    ["give an example", example, "editorial", "editorial"],
  ];
}
