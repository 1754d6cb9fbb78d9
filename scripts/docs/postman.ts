import { createRequire } from "node:module";
import { promisify } from "node:util";
import { UserError } from "../../lib/user-error.ts";
import { dereference } from "../document/references.ts";
import type { OpenApiDocument, Parameter } from "../document/types.ts";

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
    throw new UserError(`no Postman collection could be made: ${conversion?.reason ?? ""}`);
  return `${JSON.stringify(readyToSend(document, collection.data as Collection), null, 2)}\n`;
}

interface Collection {
  variable?: { key: string; value: string }[];
  item: Item[];
}
interface Item {
  item?: Item[];
  request?: { header: { key: string; value: string }[] };
}

/**
 * The collection with what a person has to fill in as its variables, and an idempotency key of its own for each request
 * that is sent (`$guid`): with that of an example the second request would be taken for a repetition of the first.
 */
function readyToSend(document: OpenApiDocument, collection: Collection): Collection {
  const host = document.servers[0]?.variables?.base_url?.default ?? "";
  const variable = [
    { key: "baseUrl", value: host },
    { key: "bearerToken", value: "", description: "The API key." },
  ];
  const { name } = dereference<Parameter>(document, { $ref: "#/components/parameters/IdempotencyKey" });
  return { ...collection, variable, item: collection.item.map((item) => withOwnKey(item, name)) };
}

/** @param name of the header that carries the key */
function withOwnKey(item: Item, name: string): Item {
  const own: Item = { ...item };
  if (item.item !== undefined) own.item = item.item.map((inner) => withOwnKey(inner, name));
  if (item.request !== undefined) {
    const header = item.request.header.map((sent) =>
      sent.key === name ? { ...sent, value: "{{$guid}}" } : sent,
    );
    own.request = { ...item.request, header };
  }
  return own;
}
