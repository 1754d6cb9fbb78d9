import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { requests } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import { type Exchange, errorOf, namedFields, requestBody } from "../exchange.ts";
import { finding, type ResponseFinding } from "./finding.ts";

const naming = Object.values(errors).filter(({ namesFields }) => namesFields);

/** Errors that must have `error.fields` have it, with texts. */
export function namedFieldsFindings(exchange: Exchange): ResponseFinding[] {
  const fields = errorOf(exchange)?.fields;
  const hasTexts = isObject(fields) && Object.values(fields).every(isListOfTexts);
  const texts = finding(["ERR-4"], "error.fields has a list of texts for each field", hasTexts, {
    expected: "a list of texts for each field",
    found: JSON.stringify(fields) ?? "",
  });
  return [...(fields === undefined ? [] : [texts]), ...presenceFindings(exchange)];
}

export const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string" && text !== "");

function presenceFindings(exchange: Exchange): ResponseFinding[] {
  const type = errorOf(exchange)?.type;
  const row = naming.find((one) => one.status === exchange.status && one.type === type);
  if (row === undefined || !isAboutFields(exchange)) return [];
  return [
    finding(["ERR-10"], `${row.status} ${row.type} has error.fields`, namedFields(exchange).length > 0, {
      expected: "error.fields with an entry for each invalid field",
      found: JSON.stringify(errorOf(exchange)?.fields) ?? "no error.fields",
    }),
  ];
}

/**
 * Whether the fault must be in a field of the body. How an unreadable body and invalid parameters are rejected is unspecified.
 */
export function isAboutFields({ request, sent }: Exchange): boolean {
  if (request.operation === undefined || !isObject(requestBody({ request, sent }))) return false;
  const header = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (!/^application\/json *(;|$)/i.test(header["content-type"] ?? "")) return false;
  const path = pathParameters(operations[request.operation].path, request.path);
  return path !== undefined && requests[request.operation].parameters({ path, header });
}

/** The decoded path parameters; undefined if they are malformed. */
function pathParameters(template: string, path: string): Record<string, string> | undefined {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/?]*)")}`);
  try {
    const found = Object.entries(pattern.exec(path)?.groups ?? {});
    return Object.fromEntries(found.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
