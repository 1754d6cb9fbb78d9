import { dereference } from "../../document/references.ts";
import type { OpenApiDocument, Parameter, Reference, Schema } from "../../document/types.ts";
import { prepared, type Reading } from "./prepare.ts";
import type { Types } from "./runtime.ts";

/** A value that travels as text: a parameter of a request or a header of an answer. */
export type TextValue = Pick<Parameter, "name" | "required" | "schema">;

/** The schema of a group of such values, as an object with their names. */
export function valuesSchema(values: TextValue[], reading: Reading): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(values.map(({ name, schema }) => [name, prepared(schema, reading)])),
    required: values.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** What each of the values stands for, by name. */
export function typesOf(document: OpenApiDocument, values: TextValue[]): Types {
  return Object.fromEntries(values.map(({ name, schema }) => [name, typeOf(document, schema)]));
}

function typeOf(document: OpenApiDocument, schema: Schema): Types[string] {
  const { type } = dereference<Schema>(document, schema as Reference<Schema>);
  return type === "integer" || type === "number" || type === "boolean" ? type : "string";
}

/**
 * The parameters of an operation by where they stand. Names of headers do not tell capitals from small letters;
 * servers hand them over in small ones, and so they are named here.
 */
export function groupsOf(parameters: Parameter[]): Map<Parameter["in"], TextValue[]> {
  const groups = new Map<Parameter["in"], TextValue[]>();
  for (const { in: place, name, ...rest } of parameters) {
    const value = { ...rest, name: place === "header" ? name.toLowerCase() : name };
    groups.set(place, [...(groups.get(place) ?? []), value]);
  }
  return groups;
}
