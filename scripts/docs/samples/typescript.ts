import type { ExampleRequest } from "../../document/requests.ts";
import { pretty, shortArrays } from "./snippet.ts";
import { rowOf } from "./table.ts";

/** The request as a call of the TypeScript client; undefined if the client has no method for it. */
export function typescriptSample(request: ExampleRequest, baseUrl: string): string | undefined {
  const { method, property } = rowOf(request.operationId) ?? {};
  if (method === undefined) return undefined;
  const { "Idempotency-Key": idempotencyKey } = request.headers;
  const body = property === undefined ? request.body : (request.body as Record<string, unknown>)[property];
  const values = [
    ...request.pathParameters.map((value) => JSON.stringify(value)),
    ...(body === undefined ? [] : [literal(body)]),
    ...(idempotencyKey === undefined ? [] : [`{ idempotencyKey: ${JSON.stringify(idempotencyKey)} }`]),
  ];
  return `import { createClient } from "email-api-client";

const client = createClient({
  key: process.env.EMAIL_API_KEY ?? "",
  baseUrl: ${JSON.stringify(baseUrl)},
});

const result = await client.${method}(${values.join(", ")});
console.log(result);
`;
}

/** A JSON value as TypeScript: names without quotes. A line that starts with a quoted name and a colon is always a property. */
const literal = (value: unknown): string =>
  shortArrays(pretty(value)).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
