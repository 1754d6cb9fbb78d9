// Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import * as sdk from "./client";
import { type Client, createClient, createConfig } from "./client/client";
import { createReliableClient } from "./reliable";

interface Call {
  call: number;
  operation: keyof typeof sdk;
  path?: Record<string, string>;
  body?: unknown;
  idempotencyKey?: string;
  timeout?: number;
}

interface Result {
  data?: unknown;
  error?: unknown;
  response?: Response;
}

/** Without the types of each operation, which `example.ts` uses. */
const operations = sdk as unknown as Record<string, (options: object) => Promise<Result>>;

/** What a user adds to a call. */
const optionsOf = ({ path, body, idempotencyKey, timeout }: Call): object => ({
  ...(path !== undefined && { path }),
  ...(body !== undefined && { body }),
  ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }),
  ...(timeout !== undefined && { signal: AbortSignal.timeout(timeout) }),
});

/** The kind of what `fetch` threw, or the parser. */
function kindOf(error: Error): string {
  const { name, cause } = error;
  if (name === "TimeoutError" || (cause instanceof Error && cause.name === "TimeoutError")) return "timeout";
  if (cause !== undefined) return "connection";
  return error instanceof TypeError ? "not sent" : "unreadable";
}

function replyFrom({ data, error, response }: Result): object {
  if (error === undefined) return { result: data ?? null };
  const message = inspect(error);
  if (error instanceof Error) return { error: { kind: kindOf(error), message } };
  const { type, fields, request_id: requestId } = (error as { error?: Record<string, unknown> }).error ?? {};
  return { error: { kind: "response", status: response?.status, type, fields, requestId, message } };
}

const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function main(): Promise<void> {
  const isReliable = process.argv.includes("--reliable");
  let client: Client | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    if (client !== undefined) {
      const call: Call = JSON.parse(line);
      const result = await operations[call.operation]?.({ client, ...optionsOf(call) });
      write({ call: call.call, ...replyFrom(result ?? {}) });
      continue;
    }
    const { baseUrl, key } = JSON.parse(line);
    client = isReliable
      ? createReliableClient(baseUrl, key)
      : createClient(createConfig({ baseUrl, auth: key }));
    write({
      protocol: 1,
      client: "hey-api 0.99.0",
      operations: Object.keys(sdk),
      retries: isReliable,
      idempotencyKeys: isReliable ? "automatic" : "explicit",
      timeouts: true,
      printed: inspect(client),
    });
  }
}

void main();
