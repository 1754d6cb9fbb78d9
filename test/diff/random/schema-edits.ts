import type { Verdict } from "../../../scripts/diff/policy.ts";
import { listOf, type Node, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { type Change, pick, without } from "./edit.ts";

/** What may be done to a schema: how, and what it is worth in requests and in answers. */
export interface SchemaAction {
  title: string;
  change: Change;
  request: Verdict;
  answer: Verdict;
}

const bounds = ["maxLength", "maxItems", "maxProperties", "maximum"];
const texts = (list: unknown): string[] => textsOf(list ?? []);
const hasFields = (node: Node): boolean => node.type === "object" && "properties" in node;

/** Everything that may be done to a schema, with a name and a number to do it with. */
export function schemaActions(name: string, number: number): SchemaAction[] {
  return [
    ...fieldActions(name, number),
    ...valueActions(name, number),
    ...boundActions(number),
    ...wordActions(name),
  ];
}

function fieldActions(name: string, number: number): SchemaAction[] {
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
      if (!hasFields(node) || name in nodeOf(node.properties)) return undefined;
      const properties = { ...nodeOf(node.properties), [name]: added };
      return { ...node, properties, ...(isRequired ? { required: [...required(node), name] } : {}) };
    };
  const demand: Change = (node) => {
    const free = Object.keys(nodeOf(node.properties)).filter((one) => !required(node).includes(one));
    const one = pick(free, number);
    return one === undefined ? undefined : { ...node, required: [...required(node), one] };
  };
  const waive: Change = (node) => {
    const one = hasFields(node) ? pick(required(node), number) : undefined;
    return one === undefined
      ? undefined
      : { ...node, required: required(node).filter((other) => other !== one) };
  };
  return [
    { title: "remove a field", change: remove, request: "breaking", answer: "breaking" },
    { title: "rename a field", change: rename, request: "breaking", answer: "breaking" },
    { title: "add an optional field", change: add(false), request: "allowed", answer: "allowed" },
    { title: "add a required field", change: add(true), request: "breaking", answer: "allowed" },
    { title: "require a field", change: demand, request: "breaking", answer: "allowed" },
    { title: "require a field no more", change: waive, request: "allowed", answer: "breaking" },
  ];
}

function valueActions(name: string, number: number): SchemaAction[] {
  const retype: Change = (node) =>
    typeof node.type === "string"
      ? { ...node, type: node.type === "string" ? "integer" : "string" }
      : undefined;
  const mayBeNull: Change = (node) =>
    typeof node.type === "string" ? { ...node, type: [node.type, "null"] } : undefined;
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
    { title: "change the type", change: retype, request: "breaking", answer: "breaking" },
    { title: "take null too", change: mayBeNull, request: "allowed", answer: "breaking" },
    { title: "take a type away", change: loseType, request: "breaking", answer: "allowed" },
    { title: "add a value", change: grow("enum"), request: "allowed", answer: "breaking" },
    { title: "take a value away", change: shrink("enum"), request: "breaking", answer: "breaking" },
    { title: "add a known value", change: grow("x-extensible-enum"), request: "allowed", answer: "allowed" },
    {
      title: "take a known value away",
      change: shrink("x-extensible-enum"),
      request: "breaking",
      answer: "breaking",
    },
    { title: "change the constant", change: reconstant, request: "breaking", answer: "breaking" },
    { title: "change the pattern", change: repattern, request: "breaking", answer: "breaking" },
    { title: "take the pattern away", change: lose("pattern"), request: "allowed", answer: "breaking" },
    { title: "take the format away", change: lose("format"), request: "allowed", answer: "breaking" },
  ];
}

function boundActions(number: number): SchemaAction[] {
  const move =
    (isTechnical: boolean, by: number): Change =>
    (node) => {
      const key = bounds.find((one) => typeof node[one] === "number");
      if (key === undefined || (node["x-technical-limit"] === true) !== isTechnical) return undefined;
      const value = Number(node[key]) + by;
      return value < 0 ? undefined : { ...node, [key]: value };
    };
  return [
    { title: "raise a limit", change: move(false, number + 1), request: "allowed", answer: "breaking" },
    { title: "lower a limit", change: move(false, -number - 1), request: "breaking", answer: "allowed" },
    {
      title: "raise a technical bound",
      change: move(true, number + 1),
      request: "editorial",
      answer: "editorial",
    },
    {
      title: "lower a technical bound",
      change: move(true, -number - 1),
      request: "editorial",
      answer: "editorial",
    },
  ];
}

function wordActions(name: string): SchemaAction[] {
  const words: Change = (node) => ({ ...node, description: `About ${name}.` });
  const mark: Change = (node) => ({ ...node, "x-encodes": [...texts(node["x-encodes"]), "GEN-1"] });
  const example: Change = (node) => ({ ...node, examples: [name] });
  return [words, mark, example].map((change, index) => ({
    title: ["describe", "mark", "give an example"][index] ?? "",
    change,
    request: "editorial",
    answer: "editorial",
  }));
}
