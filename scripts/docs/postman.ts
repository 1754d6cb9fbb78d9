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
  reason?: string;
  output?: { type: string; data: unknown }[];
}
interface Collection {
  item: Item[];
}
interface Item {
  item?: Item[];
  request?: { header: { key: string; value: string }[] };
}

/** A Postman collection as JSON. Its requests have the examples of the document. */
export async function postmanCollection(document: OpenApiDocument): Promise<string> {
  const converter = createRequire(import.meta.url)("openapi-to-postmanv2") as Converter;
  const conversion = await promisify(converter.convertV2.bind(converter))(
    { type: "string", data: JSON.stringify(document) },
    { parametersResolution: "Example", folderStrategy: "Tags" },
  );
  const collection = conversion?.output?.find(({ type }) => type === "collection")?.data;
  if (collection === undefined)
    throw new UserError(`cannot create the Postman collection: ${conversion?.reason ?? ""}`);
  return `${JSON.stringify(withVariables(document, collection as Collection), null, 2)}\n`;
}

/** Makes the base URL and the API key variables, and gives each request its own idempotency key (`$guid`). */
function withVariables(document: OpenApiDocument, collection: Collection): unknown {
  const variable = [
    { key: "baseUrl", value: document.servers[0]?.variables?.base_url?.default ?? "" },
    { key: "bearerToken", value: "", description: "The API key." },
  ];
  const { name } = dereference<Parameter>(document, { $ref: "#/components/parameters/IdempotencyKey" });
  return { ...collection, variable, item: collection.item.map((item) => withUniqueKey(item, name)) };
}

const withUniqueKey = ({ item, request, ...rest }: Item, headerName: string): Item => ({
  ...rest,
  ...(item && { item: item.map((inner) => withUniqueKey(inner, headerName)) }),
  ...(request && {
    request: {
      ...request,
      header: request.header.map((header) =>
        header.key === headerName ? { ...header, value: "{{$guid}}" } : header,
      ),
    },
  }),
});
