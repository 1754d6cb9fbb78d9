import { UserError } from "../../lib/user-error.ts";
import { pathOf, valueAt } from "./json-pointer.ts";
import { operationsOf, type PlacedNode, parametersOf } from "./operations.ts";
import { follow, resolveSchema } from "./references.ts";
import type { OpenApiDocument } from "./types.ts";
import { entriesOf, type Located, listOf, type Node, nodeOf, oncePerDocument, type Path } from "./values.ts";

/** A response of one operation or of the gateway. */
export interface PlacedResponse {
  /** Its path in the operation, before `$ref`s are followed. */
  listed: Path;
  /** The path of its definition. */
  path: Path;
  response: Node;
  /** The key it is listed under: `404`, `2XX`. */
  status: string;
  /** Its name in messages: `the 404 response of getEmail`, or `the response NotFound` if it is a component. */
  name: string;
  /** Its operation; undefined for the gateway. */
  operation: PlacedNode | undefined;
}

/** Whether the status is a success: `200`, `2XX`. */
export const isSuccess = (status: string): boolean => /^2/.test(status);

/** Whether the status is an error: `404`, `5XX`, `default`. */
export const isError = (status: string): boolean => /^([45]|default)/.test(status);

/** The root extension with the responses that come before any operation. */
export const gatewayResponses = "x-gateway-responses";

const place = (document: Node, listed: Path, value: Node, operation?: PlacedNode): PlacedResponse => {
  const status = String(listed.at(-1));
  const { path, value: response } = follow(document, listed, value);
  const own = `the ${status} response of ${operation?.id ?? "the gateway"}`;
  const name = path[0] === "components" ? `the response ${path[2]}` : own;
  return { listed, path, response, status, name, operation };
};

export const responsesOf = (document: Node, operation: PlacedNode): PlacedResponse[] =>
  entriesOf(operation.operation.responses).map(([status, value]) =>
    place(document, [...operation.location, "responses", status], value, operation),
  );

/** Every response of every operation and of the gateway; a component once for each use. */
export const listedResponses = oncePerDocument((document): PlacedResponse[] => [
  ...operationsOf(document).flatMap((operation) => responsesOf(document, operation)),
  ...entriesOf(document[gatewayResponses]).map(([status, value]) =>
    place(document, [gatewayResponses, status], value),
  ),
]);

/** Every response of the document, once, with the path of its definition. */
export const responses = oncePerDocument((document): PlacedResponse[] => [
  ...new Map(listedResponses(document).map((response) => [response.path.join("/"), response])).values(),
]);

/** The headers or links of every response of the document, with `$ref`s followed. */
export const partsOfResponses =
  (kind: "headers" | "links") =>
  (document: Node): (Located & { name: string; response: PlacedResponse })[] =>
    responses(document).flatMap((response) =>
      entriesOf(response.response[kind]).map(([name, value]) => ({
        ...follow(document, [...response.path, kind, name], value),
        name,
        response,
      })),
    );

/** The header of that name on the response, with its `$ref` followed; names are compared without case. */
export const headerOf = (document: Node, { path, response }: PlacedResponse, name: string) => {
  const found = entriesOf(response.headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found && follow(document, [...path, "headers", found[0]], found[1]);
};

/**
 * The name of each header in responses, by component name.
 * @throws UserError if responses use a header component under different names
 */
export function headerNames(document: OpenApiDocument): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, path } of partsOfResponses("headers")({ ...document })) {
    const [root, , component = ""] = path.map(String);
    if (root !== "components") continue;
    const other = names.get(component) ?? name;
    if (other !== name)
      throw new UserError(`the header component ${component} is used as ${other} and as ${name}`, {
        hint: "Use one name in all responses.",
      });
    names.set(component, name);
  }
  return new Map([...names].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The runtime expressions in a value: every string that begins with `$`. */
const expressionsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.startsWith("$") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(expressionsIn) : [];
};

/** Whether a value of the schema can have a value at the path. */
const describes = (document: Node, schema: unknown, [segment, ...rest]: string[]): boolean => {
  if (segment === undefined) return true;
  const { properties, items, oneOf, anyOf, allOf } = resolveSchema(document, schema);
  const next = /^\d+$/.test(segment) && items !== undefined ? items : nodeOf(properties)[segment];
  if (next !== undefined && describes(document, next, rest)) return true;
  return [oneOf, anyOf, allOf]
    .flatMap(listOf)
    .some((variant) => describes(document, variant, [segment, ...rest]));
};

const leads = (document: Node, { response, operation }: PlacedResponse, expression: string): boolean => {
  const [, source = "", pointer = ""] =
    /^\$(response\.body|request\.path\.\w+)(?:#(\/.*))?$/.exec(expression) ?? [];
  if (source === "response.body")
    return describes(document, valueAt(response, ["content", "application/json", "schema"]), pathOf(pointer));
  const parameters = operation ? parametersOf(document, operation) : [];
  return parameters.some(({ value }) => source === `request.path.${value.name}`);
};

/** The runtime expressions in the parameters of a link that read something the response or its request does not have. */
export const brokenExpressions = (document: Node, response: PlacedResponse, link: Node): string[] =>
  expressionsIn(link.parameters).filter((expression) => !leads(document, response, expression));
