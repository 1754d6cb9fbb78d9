import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { OpenApiDocument } from "../document.ts";
import { Failure } from "../failure.ts";

interface Converter {
  convertV2(
    input: { type: "string"; data: string },
    options: Record<string, unknown>,
    callback: (error: Error | null, result?: Conversion) => void,
  ): void;
}
interface Conversion {
  result: boolean;
  reason?: string;
  output?: { type: string; data: unknown }[];
}

/** A Postman collection of the document, as JSON. Its requests have the examples of the document, not invented values. */
export async function postmanCollection(document: OpenApiDocument): Promise<string> {
  const converter = createRequire(import.meta.url)("openapi-to-postmanv2") as Converter;
  const convert = promisify(converter.convertV2.bind(converter));
  const conversion = await convert(
    { type: "string", data: JSON.stringify(document) },
    {
      parametersResolution: "Example",
      folderStrategy: "Tags",
    },
  );
  const collection = conversion?.output?.find(({ type }) => type === "collection");
  if (collection === undefined)
    throw new Failure(`no Postman collection could be made: ${conversion?.reason ?? ""}`);
  return `${JSON.stringify(collection.data, null, 2)}\n`;
}
