import { attempted, isObject, oncePer } from "../../lib/objects.ts";
import type { ApiRequest, HttpResponse } from "../api/context.ts";
import { createPathMatcher, originOf, queryOf } from "../api/paths.ts";
import { clockOperations } from "./clock.ts";
import { failureOperations } from "./failures.ts";
import {
  ControlError,
  errorJson,
  type Field,
  type GatewayServices,
  type Input,
  json,
  methodNotAllowed,
  type Operation,
  retrySoon,
} from "./operation.ts";
import { recipientOperations } from "./recipients.ts";
import { recordOperations } from "./records.ts";

/** Every operation of the control API: what is served, and what is documented. */
export const controlOperations: readonly Operation[] = [
  {
    method: "GET",
    path: "/sandbox/",
    summary: "Lists these operations.",
    run: (_services, _input, request) =>
      json({
        base_url: originOf(request),
        operations: controlOperations.map(({ run: _, ...operation }) => operation),
      }),
  },
  ...clockOperations,
  ...recipientOperations,
  ...recordOperations,
  ...failureOperations,
];

const findOperations = createPathMatcher(Map.groupBy(controlOperations, ({ path }) => path));

/**
 * Handles a request to the control API.
 * @param path the path as it was sent, without its query
 */
export async function control(services: GatewayServices, request: ApiRequest, path: string) {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const found = findOperations(path === "/sandbox" ? "/sandbox/" : path);
  const operation = found?.value.find((one) => one.method === method);
  try {
    const shownPath = path.slice(0, 200);
    if (found === undefined)
      throw new ControlError(`There is no operation at ${shownPath}.`, "List them with GET /sandbox/.", 404);
    const methods = found.value.map((one) => one.method);
    if (operation === undefined) return methodNotAllowed(request.method, shownPath, methods);
    const given =
      method === "GET"
        ? Object.fromEntries(new URLSearchParams(queryOf(request.target)))
        : parseBody(request.body, operation);
    rejectUnknown(operation, given);
    const input = { ...(await validateInput(operation, given)), ...found.parameters };
    return await operation.run(services, input, request);
  } catch (error) {
    if (error instanceof ControlError) return errorJson(error);
    throw error;
  }
}

/** The response to a request that must not reach the control API and the pages; undefined for one that may. */
export function requestError(
  { exposed, control }: Pick<GatewayServices, "exposed" | "control">,
  request: ApiRequest,
): HttpResponse | undefined {
  const error = accessError(exposed, control) ?? crossSiteError(request) ?? bodyError(request);
  return error && errorJson(error, error.status === 503 ? retrySoon : {});
}

const accessError = (exposed: boolean, control: boolean): ControlError | undefined =>
  exposed && !control
    ? new ControlError(
        "The control API and the pages are disabled, because this sandbox listens on the network.",
        "Start it with --control to enable them for everyone who can reach it.",
        403,
      )
    : undefined;

/** Why a body was not read: the request must not be handled as one without a body. */
function bodyError({ bodyOmitted }: ApiRequest): ControlError | undefined {
  if (bodyOmitted === undefined) return undefined;
  return bodyOmitted === "no room"
    ? new ControlError("The sandbox is receiving too many bodies at once.", "Retry in a moment.", 503)
    : new ControlError("The body is too large.", "The control API and forms accept at most 1 MiB.", 413);
}

/**
 * Protects the control API and the pages against other web sites, whose forms and scripts send their own `Origin`, or `null` from a sandboxed
 * frame. The `Host` has been checked before.
 * @returns why the request is rejected with 403; undefined for one that may pass
 */
export function crossSiteError(request: Pick<ApiRequest, "method" | "headers">): ControlError | undefined {
  const { method, headers } = request;
  if (method === "GET" || method === "HEAD") return undefined;
  const host = headers.host?.toLowerCase();
  const { origin, "sec-fetch-site": site } = headers;
  const sameSite =
    origin === undefined
      ? site === undefined || site === "same-origin" || site === "none"
      : host !== undefined && URL.parse(origin)?.host === host;
  if (sameSite) return undefined;
  const from = origin === undefined ? `Sec-Fetch-Site: ${site}` : `Origin: ${origin}`;
  return new ControlError(
    `The request comes from a page of another web site (got ${from.slice(0, 100)}).`,
    "Use the sandbox's own pages, or a client that is not a browser, such as curl.",
    403,
  );
}

/**
 * Parses the body of a control request. Its content type does not matter.
 * @throws ControlError for a body that is not a JSON object
 */
function parseBody(body: Uint8Array | null, operation: Operation): Input {
  if (body === null || body.length === 0) return {};
  const value = attempted(() => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
  if (isObject(value)) return value;
  const text = new TextDecoder().decode(body);
  const got = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  throw new ControlError(`The body is not a JSON object (got ${JSON.stringify(got)}).`, hintOf(operation));
}

/**
 * Rejects a field that the operation does not have, such as a misspelled one.
 * @throws ControlError that names the field and the known ones
 */
function rejectUnknown({ method, path, fields = {} }: Operation, given: Input): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknown === undefined) return;
  const kind = method === "GET" ? "query parameter" : "property";
  const known = Object.keys(fields).map((name) => `\`${name}\``);
  throw new ControlError(
    `There is no ${kind} \`${unknown.slice(0, 100)}\`.`,
    known.length === 0
      ? `${method} ${path} takes no ${kind}.`
      : `${method} ${path} takes ${known.join(", ")}.`,
  );
}

/**
 * Validates the input of an operation. Unknown fields are ignored: forms have some of their own.
 * @throws ControlError that names the field
 */
export async function validateInput(operation: Operation, given: Input): Promise<Input> {
  const { fields } = operation;
  if (fields === undefined) return given;
  const input: Input = { ...given };
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) delete input[name];
    else input[name] = coerce(field, value);
  }
  // Loaded on demand: Ajv would delay the first `GET /health`.
  const { describePath, schemaProblems } = await import("../../lib/schema-errors.ts");
  const [problem] = schemaProblems(schemaOf(operation), input);
  if (problem === undefined) return input;
  const subject = problem.path.length === 0 ? "The request" : `\`${describePath(problem.path)}\``;
  throw new ControlError(`${subject} ${problem.message}.`, hintOf(operation));
}

const hintOf = ({ method, path, example }: Operation): string =>
  example === undefined ? "See GET /sandbox/." : `Example: ${method} ${path} ${JSON.stringify(example)}`;

const schemaOf = oncePer(({ fields: properties, required = [] }: Operation) => ({
  type: "object",
  properties,
  required,
}));

/** Queries and forms have only strings. In JSON, a status may be a number, such as the failure 503. */
function coerce({ type, enum: values }: Field, value: unknown): unknown {
  if (typeof value === "string" && isNumeral(value, type)) return Number(value);
  return values !== undefined && typeof value === "number" ? String(value) : value;
}

const isNumeral = (text: string, type: Field["type"]): boolean =>
  type === "number" ? /^\d{1,15}(\.\d{1,15})?$/.test(text) : type !== "string" && /^\d{1,15}$/.test(text);
