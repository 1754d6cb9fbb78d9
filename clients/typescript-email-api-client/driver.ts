// Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { ApiError, type Client, ConnectionError, createClient, TimeoutError } from "email-api-client";

interface Call {
  call: number;
  operation: string;
  path?: { id?: string; email?: string };
  // biome-ignore lint/suspicious/noExplicitAny: the client validates nothing that the types would
  body?: any;
  idempotencyKey?: string;
  timeout?: number;
}

type Options = Pick<Call, "idempotencyKey" | "timeout">;

const { version } = JSON.parse(readFileSync("node_modules/email-api-client/package.json", "utf8"));

const operations: Record<string, (client: Client, call: Call, options: Options) => Promise<unknown>> = {
  sendEmail: ({ emails }, { body }, options) => emails.send(body, options),
  sendBatch: ({ emails }, { body }, options) => emails.batch.send(body.emails, options),
  getEmail: ({ emails }, { path }, options) => emails.get(path?.id ?? "", options),
  rescheduleEmail: ({ emails }, { path, body }, options) => emails.reschedule(path?.id ?? "", body, options),
  cancelEmail: ({ emails }, { path }, options) => emails.cancel(path?.id ?? "", options),
  listNewsletterLists: ({ newsletter }, _call, options) => newsletter.lists(options),
  listCustomFields: ({ newsletter }, _call, options) => newsletter.fields(options),
  upsertContact: ({ newsletter }, { body }, options) => newsletter.contacts.upsert(body, options),
  getContact: ({ newsletter }, { path }, options) => newsletter.contacts.get(path?.email ?? "", options),
  unsubscribeContact: ({ newsletter }, { path, body }, options) =>
    newsletter.contacts.unsubscribe(path?.email ?? "", body, options),
  getMe: (client, _call, options) => client.me(options),
};

function errorOf(error: unknown): object {
  const message = inspect(error);
  if (error instanceof TimeoutError) return { kind: "timeout", message };
  if (error instanceof ConnectionError) return { kind: "connection", message };
  if (!(error instanceof ApiError)) return { kind: "not sent", message };
  const { status, type, fields, requestId } = error;
  return status < 300
    ? { kind: "unreadable", message }
    : { kind: "response", status, type, fields, requestId, message };
}

async function replyTo(client: Client, call: Call): Promise<object> {
  const { timeout, idempotencyKey } = call;
  const options = { ...(timeout && { timeout }), ...(idempotencyKey !== undefined && { idempotencyKey }) };
  try {
    return { result: await operations[call.operation]?.(client, call, options) };
  } catch (error) {
    return { error: errorOf(error) };
  }
}

const write = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

let client: Client | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  if (client !== undefined) {
    const call: Call = JSON.parse(line);
    // Without waiting: calls may be made at the same time.
    replyTo(client, call).then((reply) => write({ call: call.call, ...reply }));
    continue;
  }
  const { baseUrl, key } = JSON.parse(line);
  client = createClient({ baseUrl, key });
  write({
    protocol: 1,
    client: `email-api-client ${version}`,
    operations: Object.keys(operations),
    retries: true,
    idempotencyKeys: "automatic",
    timeouts: true,
    printed: inspect(client),
  });
}
