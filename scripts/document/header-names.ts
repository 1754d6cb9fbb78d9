import { UserError } from "../../lib/user-error.ts";
import { nameOf } from "./json-pointer.ts";
import { operationsOf } from "./operations.ts";
import { dereference } from "./references.ts";
import type { OpenApiDocument, Reference, ResponseObject } from "./types.ts";

/**
 * The name of each header in responses, by component name.
 *
 * @throws UserError if responses use a header component under different names
 */
export function headerNames(document: OpenApiDocument): Map<string, string> {
  const names = new Map<string, string>();
  for (const reference of responsesOf(document)) {
    const { headers = {} } = dereference<ResponseObject>(document, reference);
    for (const [name, header] of Object.entries(headers)) {
      if (!("$ref" in header)) continue;
      const component = nameOf(header.$ref);
      const other = names.get(component) ?? name;
      if (other !== name)
        throw new UserError(`the header component ${component} is used as ${other} and as ${name}`, {
          hint: "Use one name in all responses.",
        });
      names.set(component, name);
    }
  }
  return new Map([...names].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const responsesOf = (document: OpenApiDocument): Reference<ResponseObject>[] => [
  ...operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses)),
  ...Object.values(document["x-gateway-responses"] ?? {}),
];
