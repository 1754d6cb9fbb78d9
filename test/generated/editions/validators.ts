import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { pathOf, valueAt } from "../../../scripts/document/json-pointer.ts";
import { follow } from "../../../scripts/document/references.ts";
import type { Schema } from "../../../scripts/document/types.ts";
import { entriesOf, listOf, type Node, nodeOf } from "../../../scripts/document/values.ts";
import type { Loss } from "../../../scripts/generate/editions.ts";
import { prepared } from "../../../scripts/generate/validators/compile.ts";
import { formats } from "../../../scripts/generate/validators/runtime.ts";

type Validators = (component: string) => (value: unknown) => boolean;

export const schemasOf = (document: Node): [string, Node][] => entriesOf(nodeOf(document.components).schemas);

/** Validates by the document, as the sandbox and the suite do. */
export function sourceValidators(document: Node): Validators {
  const ajv = new Ajv2020({ strict: false, formats });
  for (const [name, schema] of schemasOf(document))
    ajv.addSchema({ ...prepared(schema as Schema, { technicalLimits: true }), $id: name });
  return (component) => compiled(ajv, component);
}

/** Validates by an edition, as any tool would that knows the `nullable` of OpenAPI 3.0; in strict mode, no other keyword is unknown. */
export function editionValidators({ components }: Node): Validators {
  const ajv = new Ajv({ strict: true, strictRequired: false, formats });
  ajv.addVocabulary(["components", "example", "x-enum-varnames", "x-extensible-enum", "x-technical-limit"]);
  ajv.addSchema({ $id: "edition", components });
  return (component) => compiled(ajv, `edition#/components/schemas/${component}`);
}

function compiled(ajv: Ajv | Ajv2020, id: string): (value: unknown) => boolean {
  const validate = ajv.getSchema(id);
  if (validate === undefined) throw new Error(`there is no schema ${id}`);
  return (value) => validate(value) === true;
}

/** The document without what was lost. Of a union of objects remains that the properties of each are restricted. */
export function without(document: Node, losses: Loss[]): Node {
  const copy = structuredClone(document);
  const paths = losses.map(({ pointer }) => pathOf(pointer)).filter(([root]) => root === "components");
  // The last first: to remove an item of a list moves those behind it.
  for (const path of paths.toReversed()) {
    const key = path.at(-1) ?? "";
    const owner = valueAt(copy, path.slice(0, -1));
    if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else remove(copy, nodeOf(owner), key);
  }
  return copy;
}

function remove(document: Node, owner: Node, key: string): void {
  const variants = ["oneOf", "anyOf"].includes(key) ? listOf(owner[key]) : [];
  const types = variants.map((variant) => follow(document, [], variant).value.type);
  if (variants.length > 0 && types.every((type) => type === "object")) owner.allOf = variants;
  delete owner[key];
}
