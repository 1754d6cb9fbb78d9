import { createRequire } from "node:module";
import { promisify } from "node:util";
import { UserError } from "../../lib/user-error.ts";
import { dereference } from "../document/references.ts";
import { baseUrlOf } from "../document/requests.ts";
import type { OpenApiDocument, Parameter } from "../document/types.ts";

interface Converter {
  convertV2(
    input: { type: "string"; data: string },
    options: Record<string, unknown>,
    callback: (error: Error | null, result?: Conversion) => void,
  ): void;
}
interface Conversion {
  reason?: string;
  output?: { type: string; data: object }[];
}

/** A Postman collection as JSON. Its requests have the examples of the document and a new idempotency key each. */
export async function postmanCollection(document: OpenApiDocument): Promise<string> {
  const copy = structuredClone(document);
  dereference<Parameter>(copy, { $ref: "#/components/parameters/IdempotencyKeyParameter" }).example =
    "{{$guid}}";
  const converter = createRequire(import.meta.url)("openapi-to-postmanv2") as Converter;
  const conversion = await promisify(converter.convertV2.bind(converter))(
    { type: "string", data: JSON.stringify(copy) },
    { parametersResolution: "Example", folderStrategy: "Tags" },
  );
  const collection = conversion?.output?.find(({ type }) => type === "collection")?.data;
  if (collection === undefined)
    throw new UserError(`cannot create the Postman collection: ${conversion?.reason ?? ""}`);
  const variable = [
    { key: "baseUrl", value: baseUrlOf(document) },
    { key: "bearerToken", value: "", description: "The API key." },
  ];
  return `${JSON.stringify({ ...collection, variable }, null, 2)}\n`;
}
