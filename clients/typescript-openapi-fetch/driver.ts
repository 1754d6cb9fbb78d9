// Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import createClient from "openapi-fetch";
import type { paths } from "./client.ts";
import { createReliableClient } from "./reliable.ts";

interface Call {
  call: number;
  operation: string;
  path?: Record<string, string>;
  body?: unknown;
  idempotencyKey?: string;
  timeout?: number;
}

interface Result {
  data?: unknown;
  error?: { error?: { type?: string; fields?: object; request_id?: string } };
  response: Response;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Without the types of each path, which `example.ts` uses. */
type UntypedClient = Record<Method, (path: string, options: object) => Promise<Result>>;

const operations: Record<string, [Method, string]> = {
  sendEmail: ["POST", "/api/v1/emails"],
  sendBatch: ["POST", "/api/v1/emails/batch"],
  getEmail: ["GET", "/api/v1/emails/{id}"],
  rescheduleEmail: ["PATCH", "/api/v1/emails/{id}"],
  cancelEmail: ["DELETE", "/api/v1/emails/{id}"],
  listNewsletterLists: ["GET", "/api/v1/newsletter/lists"],
  listCustomFields: ["GET", "/api/v1/newsletter/fields"],
  upsertContact: ["POST", "/api/v1/newsletter/contacts"],
  getContact: ["GET", "/api/v1/newsletter/contacts/{email}"],
  unsubscribeContact: ["POST", "/api/v1/newsletter/contacts/{email}/unsubscribe"],
  getMe: ["GET", "/api/v1/me"],
};

/** What a user adds to a call. */
const optionsOf = ({ path, body, idempotencyKey, timeout }: Call): object => ({
  params: { path, header: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey } },
  ...(body !== undefined && { body }),
  ...(timeout !== undefined && { signal: AbortSignal.timeout(timeout) }),
});

function kindOf(error: Error): string {
  if (error.name === "TimeoutError") return "timeout";
  if (error.name === "ConnectionError" || error.cause !== undefined) return "connection";
  return error instanceof TypeError ? "not sent" : "unreadable";
}

async function replyTo(api: UntypedClient, call: Call): Promise<object> {
  const [method, path] = operations[call.operation] ?? ["GET", ""];
  try {
    const { data, error, response } = await api[method](path, optionsOf(call));
    if (response.ok) return { result: data ?? null };
    const { type, fields, request_id: requestId } = error?.error ?? {};
    const detail = { type: type || null, fields, requestId, message: inspect(error) };
    return { error: { kind: "response", status: response.status, ...detail } };
  } catch (error) {
    return { error: { kind: kindOf(error as Error), message: inspect(error) } };
  }
}

const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const isReliable = process.argv.includes("--reliable");
let api: UntypedClient | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  if (api !== undefined) {
    const call: Call = JSON.parse(line);
    // Without waiting: calls may be made at the same time.
    replyTo(api, call).then((reply) => write({ call: call.call, ...reply }));
    continue;
  }
  const { baseUrl, key } = JSON.parse(line);
  const client = isReliable
    ? createReliableClient(baseUrl, key)
    : createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  api = client as unknown as UntypedClient;
  write({
    protocol: 1,
    client: "openapi-fetch 0.17.0",
    operations: Object.keys(operations),
    retries: isReliable,
    idempotencyKeys: isReliable ? "automatic" : "explicit",
    timeouts: true,
    printed: inspect(client),
  });
}
