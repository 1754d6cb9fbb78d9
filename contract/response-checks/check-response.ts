import { operations } from "../../generated/operations.ts";
import { gatewayResponses, responses } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { document, nameOf, pointerOf, resolve, type Schema, type Validate } from "../document.ts";
import { type Exchange, errorOf, type Fault, isSuccess, requestBody } from "../exchange.ts";
import { type DocumentedResponse, documented, documentedSuccesses, mayOmitBody } from "./documented.ts";
import { branchFor, encodedIn, isShape, type Node, nodesOf, rows, validators } from "./encoded.ts";
import { errorFindings, errorInformation, namedFieldsFindings, placeOf } from "./errors.ts";
import { describeErrors, faultOf, noBody, noJson, statusFault, unreadable } from "./faults.ts";
import { comparing, type Findings, findingOf, type ResponseFinding } from "./finding.ts";
import { generalHeaderFindings, headerFindings, limitedNames, type SeenIds } from "./headers.ts";
import { eventTimesAgree, stateFindings, timesAreInUtc } from "./states.ts";

export const compare = comparing({
  json: ["GEN-4", "has a JSON body with the media type of JSON"],
  gateway404: ["ERR-6", "a gateway response 404 has the error object"],
  gateway405: ["ERR-7", "a gateway response 405 has the error object"],
});

/**
 * Checks a response against every rule for responses: the documented schema and headers, the request id, the error object,
 * JSON, times in UTC.
 * @param requestIds the ids of earlier responses, to which this one's is added; null if responses are examples with one id
 */
export function checkResponse(
  exchange: Exchange,
  requestIds: SeenIds | null,
): { findings: ResponseFinding[]; information: string[] } {
  const { operation } = exchange.request;
  // An example need not be that of the request.
  const body = requestIds === null ? undefined : requestBody(exchange);
  const response = operation && documented(operation, exchange.status, body);
  const fault = faultOfWhole(exchange, response);
  const parts: Findings[] = [
    generalHeaderFindings(exchange, requestIds),
    errorFindings(exchange),
    namedFieldsFindings(exchange),
    [timesAreInUtc(exchange), ...eventTimesAgree(exchange)],
    ...[
      ...(response ? [headerFindings(exchange, response), documentedBodyFindings(exchange, response)] : []),
      statusFindings(exchange, response),
    ].map((part) =>
      part.map((one) => (one.failure && fault ? { ...one, failure: { ...one.failure, fault } } : one)),
    ),
  ];
  // What is wrong with all of a response comes before what is wrong with its headers.
  const ordered = fault ? parts.toReversed() : parts;
  const findings: Findings = [jsonFinding(exchange, response), ...ordered.flat(), gatewayFinding(exchange)];
  return {
    findings: findings.filter((one) => one !== false),
    information: [
      ...errorInformation(exchange),
      ...(response === undefined ? [] : unknownParts(exchange, response)),
    ],
  };
}

/** What is wrong with a response that has nothing of a success but the status, and no body or an error object. */
function faultOfWhole(exchange: Exchange, response: DocumentedResponse | undefined): Fault | undefined {
  const { type, message } = errorOf(exchange) ?? {};
  if (!isSuccess(exchange)) return undefined;
  if (typeof type === "string" && typeof message === "string")
    return { cause: "Errors have the status of a success" };
  return exchange.text === "" && needsBody(response) ? { cause: noBody } : undefined;
}

const needsBody = (response: DocumentedResponse | undefined): boolean =>
  response?.schema !== undefined && !mayOmitBody(response);

function documentedBodyFindings(exchange: Exchange, response: DocumentedResponse): ResponseFinding[] {
  // Errors have their own checks, the same for every operation.
  if (!isSuccess(exchange) || (exchange.text === "" && mayOmitBody(response))) return [];
  return [...bodyFindings(exchange, response), ...stateFindings(exchange, response)];
}

function jsonFinding(exchange: Exchange, response: DocumentedResponse | undefined): ResponseFinding | false {
  const { status, text, json, headers } = exchange;
  if ((status === 500 && json === undefined) || status >= 502) return false;
  if (text === "" && !needsBody(response) && isSuccess(exchange)) return false;
  const type = headers["content-type"];
  const isJson = json !== undefined && /^application\/json *(;|$)/i.test(type ?? "");
  const found = json === undefined ? unreadable(exchange) : `content-type: ${type ?? "none"}`;
  const fault =
    json === undefined
      ? noJson(text)
      : { cause: "Bodies lack the media type of JSON", names: ["content-type"] };
  return compare.json(isJson, "a JSON body with content-type: application/json", found, () => fault);
}

/** A success with a status that the document does not list for the operation. */
function statusFindings(exchange: Exchange, response: DocumentedResponse | undefined): ResponseFinding[] {
  const { operation } = exchange.request;
  if (operation === undefined || !isSuccess(exchange)) return [];
  const ids = new Set(documentedSuccesses(operation).flatMap(encodedIn));
  const { success } = operations[operation];
  const failure = () => ({
    expected: `status ${success.join(" or ")}`,
    found: `status ${exchange.status}`,
    fault: statusFault(`Successes of ${placeOf(exchange.request)}`, `${exchange.status}`, success),
  });
  return [...ids]
    .filter((id) => response === undefined || id === "SEND-30")
    .map((id) => findingOf([id], "a success has a documented status", response !== undefined, failure));
}

/** Gateway responses: to unknown paths and unsupported methods. */
function gatewayFinding({ request, status, json }: Exchange): ResponseFinding | false {
  if (request.operation !== undefined || (status !== 404 && status !== 405)) return false;
  const validate = gatewayResponses[status].body as unknown as Validate;
  const isValid = validate(json);
  const errors = validate.errors ?? [];
  const found = describeErrors(errors, json);
  return compare[`gateway${status}`](isValid, "the error object", found, () => faultOf(errors, json));
}

/** Headers of HTTP and of proxies. */
const ofHttp =
  /^(connection|keep-alive|transfer-encoding|content-.*|date|server|via|vary|cache-control|etag|expires|pragma|age|alt-svc|strict-transport-security|access-control-.*|x-content-type-options|x-frame-options|set-cookie|referrer-policy|location|nel|report-to)$/;

/** Fields and headers of a response that the document does not describe: the service may add them, apart from headers of certain operations. */
export function unknownParts(exchange: Exchange, documented: DocumentedResponse): string[] {
  const isDocumented = (name: string): boolean =>
    limitedNames.includes(name) || documented.headers.some(({ lower }) => lower === name);
  const headers = Object.keys(exchange.headers).filter((name) => !isDocumented(name) && !ofHttp.test(name));
  const fields = documented.schema === undefined ? [] : unknownFields(documented.schema, exchange.json);
  if (headers.length + fields.length === 0) return [];
  const place = `${exchange.request.operation} ${documented.key}`;
  return [
    ...headers.map((name) => `header ${name} (${place})`),
    ...[...new Set(fields)].map((name) => `field ${name} (${place})`),
  ];
}

/** Such as `lists[].colour`. */
const unknownFields = (schema: Schema, body: unknown): string[] =>
  nodesOf(schema, body).flatMap(({ pointer, target, value }) => {
    const { anyOf, oneOf, properties = {}, additionalProperties } = target;
    // An object without named properties, or with a schema for any name, is a map: its names are data.
    const isMap = typeof additionalProperties === "object" || Object.keys(properties).length === 0;
    if (!isObject(value) || anyOf || oneOf || isMap) return [];
    const path = pointer.replaceAll(/\/\d+/g, "[]").slice(1).replaceAll("/", ".");
    return Object.keys(value)
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => (path === "" ? name : `${path}.${name}`));
  });

/**
 * Checks the body of a response against its schema. An error fails the requirements encoded nearest to it; a requirement of
 * kind `shape` passes if its node is valid.
 */
function bodyFindings(exchange: Exchange, documented: DocumentedResponse): ResponseFinding[] {
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
    const isUnreadable = exchange.json === undefined && exchange.text !== "";
    const shown = isUnreadable ? unreadable(exchange) : describeErrors(ofOne, exchange.json);
    const fault = isUnreadable ? noJson(exchange.text) : faultOf(ofOne, exchange.json, inside);
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
  // Without a property that its variant does not have: the service may add properties.
  const body =
    decided?.isPresent === false && isObject(given)
      ? Object.fromEntries(Object.entries(given).filter(([name]) => name !== decided.property))
      : given;
  if (validate === undefined || validate(body)) return [];
  const { anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  const branch = nameOf(branchFor([...anyOf, ...oneOf], body) ?? {});
  const own = branch === undefined ? undefined : validators[branch];
  const errors = (own === undefined || own(body) ? validate : own).errors ?? [];
  const pointers = errors.map(pointerOf);
  return errors.filter((error) => !pointers.some((one) => one.startsWith(`${pointerOf(error)}/`)));
}

/** The requirements encoded nearest to a node: at it, or at an ancestor. */
function idsAt(place: string, nodes: Pick<Node, "pointer" | "ids">[]): string[] {
  const around = nodes
    .filter(({ pointer, ids }) => ids.length > 0 && (place === pointer || place.startsWith(`${pointer}/`)))
    .sort((one, other) => other.pointer.length - one.pointer.length);
  const nearest = around[0]?.pointer;
  return [...new Set(around.filter(({ pointer }) => pointer === nearest).flatMap(({ ids }) => ids))];
}
