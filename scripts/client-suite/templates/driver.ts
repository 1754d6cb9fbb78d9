// Makes a client testable: reads a call per line, calls the client, writes a reply per line. Runs with Node 22.18 or later.
//
// Put your client in place of the class Client, and an entry for each of its operations into `operations`.
// Log to standard error: standard output is for the replies.
import { createInterface } from "node:readline";

interface Call {
  call: number;
  operation: string;
  path: Record<string, string>;
  body?: unknown;
  idempotencyKey?: string;
  /** Milliseconds. */
  timeout?: number;
}

/** The service responded with an error. */
class ApiError extends Error {
  readonly status: number;
  readonly detail: { type?: string; fields?: Record<string, string[]>; request_id?: string };

  constructor(status: number, detail: ApiError["detail"]) {
    super(`status ${status}: ${detail.type}`);
    this.status = status;
    this.detail = detail;
  }
}

/** Stands for your client, with one operation. */
class Client {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  async getMe(timeout?: number): Promise<unknown> {
    const response = await fetch(`${this.#baseUrl}/api/v1/me`, {
      headers: { Authorization: `Bearer ${this.#key}`, Accept: "application/json" },
      redirect: "manual",
      signal: timeout === undefined ? null : AbortSignal.timeout(timeout),
    });
    if (response.ok) return response.json();
    const body = (await response.json().catch(() => undefined)) as { error?: ApiError["detail"] } | undefined;
    throw new ApiError(response.status, body?.error ?? {});
  }
}

// Each operation of the client: a function that returns the response body with the property names of the API, for example
//   sendEmail: (call) => client.send(call.body, { idempotencyKey: call.idempotencyKey }),
//   getContact: (call) => client.getContact(call.path.email),
const operations: Record<string, (call: Call) => Promise<unknown>> = {
  getMe: (call) => client.getMe(call.timeout),
};

function errorOf(error: unknown): object {
  const message = String(error);
  if (error instanceof ApiError) {
    const { type = null, fields = null, request_id: requestId = null } = error.detail;
    return { kind: "response", status: error.status, type, fields, requestId, message };
  }
  const { name } = error as Error;
  // A SyntaxError: the client could not read the response.
  const kind = name === "TimeoutError" ? "timeout" : name === "SyntaxError" ? "unreadable" : "connection";
  return { kind, message };
}

async function replyTo(call: Call): Promise<object> {
  try {
    return { result: await operations[call.operation]?.(call) };
  } catch (error) {
    return { error: errorOf(error) };
  }
}

const write = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

let client: Client;

function start({ baseUrl, key }: { baseUrl: string; key: string }): void {
  client = new Client(baseUrl, key);
  write({
    protocol: 1,
    client: "my client 1.0",
    implementation: { name: "my client", version: "1.0" }, // for --publish
    operations: Object.keys(operations),
    retries: false, // whether the client sends a failed request again
    idempotencyKeys: "explicit", // "automatic" if it creates them
    timeouts: true, // whether it ends a call after `timeout`
    printed: JSON.stringify(client),
  });
}

let isFirst = true;
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line);
  if (isFirst) start(given);
  // Without waiting: calls may be made at the same time.
  else replyTo(given).then((reply) => write({ call: given.call, ...reply }));
  isFirst = false;
}
