import { pathOf, valueAt } from "./json-pointer.ts";
import { parametersOf } from "./operations.ts";
import { resolveSchema } from "./references.ts";
import type { PlacedResponse } from "./responses.ts";
import { listOf, type Node, nodeOf } from "./values.ts";

/** The runtime expressions in a value: every string that begins with `$`. */
const expressionsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.startsWith("$") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(expressionsIn);
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
  const [, source = "", pointer] =
    /^\$(response\.body|request\.path\.\w+)(?:#(\/.*))?$/.exec(expression) ?? [];
  if (source === "response.body")
    return describes(
      document,
      valueAt(response, ["content", "application/json", "schema"]),
      pathOf(pointer ?? ""),
    );
  const parameters = operation ? parametersOf(document, operation) : [];
  return parameters.some(({ value }) => source === `request.path.${value.name}`);
};

/** The runtime expressions in the parameters of a link that read something the response or its request does not have. */
export const brokenExpressions = (document: Node, response: PlacedResponse, link: Node): string[] =>
  expressionsIn(link.parameters).filter((expression) => !leads(document, response, expression));
