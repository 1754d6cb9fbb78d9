import { requirements } from "../../generated/requirements.ts";
import { responses } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { document, nameOf, pointerOf, resolve, type Schema, type Validate } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import type { DocumentedResponse } from "./documented.ts";
import { branchFor, encodedIn, isShape, type Node, nodesOf, validators } from "./encoded.ts";
import { describeErrors, faultOf } from "./faults.ts";
import type { ResponseFinding } from "./finding.ts";

const rows: Record<string, { text: string }> = requirements;

/**
 * Checks the body of a response against its schema. An error fails the requirements encoded nearest to it; a requirement of
 * kind `shape` passes if its node is valid.
 */
export function bodyFindings(exchange: Exchange, documented: DocumentedResponse): ResponseFinding[] {
  const { operation: id } = exchange.request;
  const { schema, key, operation } = documented;
  if (id === undefined || schema === undefined) return [];
  const validate = validators[nameOf(schema) ?? ""] ?? (responses[id] as unknown as Rows)[key]?.body;
  const errors = errorsOf(documented, exchange.json, validate);
  const inside = nodesOf(schema, exchange.json);
  const own = [{ pointer: "", ids: encodedIn(documented.response) }, ...inside];
  if (errors.length === 0) {
    const passed = new Set(own.flatMap(({ ids }) => ids).filter(isShape));
    return [...passed].map((one) => ({ ids: [one], title: titleOf(one) }));
  }
  // The requirements of the operation as a whole can fail here if no other does, but one valid response does not verify them.
  const ofBody = own.flatMap(({ pointer, ids }) => (pointer === "" ? ids : []));
  // Without the object, its properties are missing.
  const ofProperties = isObject(exchange.json) ? [] : nodesOf(schema, {}).flatMap(({ ids }) => ids);
  const ofWhole = [ofBody, ofProperties, encodedIn(operation)].find((ids) => ids.length > 0) ?? [];
  const nodes = [{ pointer: "", ids: ofWhole }, ...own];
  const failures = errors.flatMap((error) => idsAt(pointerOf(error), nodes).map((one) => ({ one, error })));
  return [...Map.groupBy(failures, ({ one }) => one)].map(([one, found]) => {
    const ofOne = found.map(({ error }) => error);
    const shown = describeErrors(ofOne, exchange.json);
    const fault = faultOf(ofOne, exchange.json, inside);
    return { ids: [one], title: titleOf(one), failure: { expected, found: shown, fault } };
  });
}

type Rows = Record<string, { body: Validate } | undefined>;

const expected = "a body that is valid under the document's schema";

/** The text of a requirement as the title of a check. */
export const titleOf = (id: string): string => (rows[id]?.text ?? id).replace(/\.$/, "");

/** The errors of a body under the variant that the request decides, and the alternative it is meant to be; of nested errors, the innermost. */
function errorsOf(
  { schema = {}, decided }: DocumentedResponse,
  given: unknown,
  validate: Validate | undefined,
) {
  if (decided?.isPresent === true && isObject(given) && !(decided.property in given))
    return [{ instancePath: "", params: { missingProperty: decided.property } }];
  const body = decided?.isPresent === false ? without(given, decided.property) : given;
  if (validate === undefined || validate(body)) return [];
  const { anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  const branch = nameOf(branchFor([...anyOf, ...oneOf], body) ?? {});
  const own = branch === undefined ? undefined : validators[branch];
  const used = own === undefined || own(body) ? validate : own;
  const errors = used.errors ?? [];
  const pointers = errors.map(pointerOf);
  return errors.filter((error) => !pointers.some((one) => one.startsWith(`${pointerOf(error)}/`)));
}

/** The body without a property that its variant does not have: the service may add properties. */
const without = (body: unknown, property: string): unknown =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== property)) : body;

/** The requirements encoded nearest to a node: at it, or at an ancestor. */
function idsAt(place: string, nodes: Pick<Node, "pointer" | "ids">[]): string[] {
  const around = nodes
    .filter(({ pointer, ids }) => ids.length > 0 && (place === pointer || place.startsWith(`${pointer}/`)))
    .sort((one, other) => other.pointer.length - one.pointer.length);
  const nearest = around[0]?.pointer;
  return [...new Set(around.filter(({ pointer }) => pointer === nearest).flatMap(({ ids }) => ids))];
}
