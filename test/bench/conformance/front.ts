import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import type { RecordedExchange } from "../../../contract/engine/outcome.ts";
import type { ObservedExchange } from "../../../contract/observe/subjects.ts";
import { exampleTime } from "../../../generated/examples.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox/index.ts";
import { keysOfDemo, testedSandbox } from "../../../scripts/contract/targets.ts";
import { controlOf } from "../../mutants/harness.ts";
import { type Interceptor, intercepted, type SandboxContext } from "../../mutants/mutant.ts";
import { recorded } from "../../observe/recorded.ts";

/** The sandbox, or a server that differs from it. */
export interface ServerUnderTest {
  title: string;
  intercept?(context: SandboxContext): Interceptor;
  sandbox?: SandboxOptions;
  /** Called with each request to the API and its response, as a proxy would record them. */
  onExchange?: (exchange: ObservedExchange) => void;
}

/** A server under test that listens on a port, and what it receives there. */
export interface Front {
  url: string;
  sandbox: Sandbox;
  /** The requests to the API that got a response. */
  exchanges: RecordedExchange[];
  /** All requests to the API. */
  requests(): number;
  close(): Promise<void>;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Starts a new sandbox, and a port in front of it where a server differs as it says. Nothing is changed on the way to the control API. */
export async function openFront({
  intercept,
  sandbox: options = {},
  onExchange,
}: ServerUnderTest): Promise<Front> {
  // At the time that the examples of the document are written for.
  const clock = { startAt: Date.parse(exampleTime) };
  const sandbox = await startSandbox({ ...testedSandbox(), clock, ...options });
  const { send: sendThroughPort, close } = sender(sandbox.url);
  const send: Fetch = (url, init) =>
    isFetchable(init) ? sandbox.fetch(url, init) : sendThroughPort(url, init);
  const keys = keysOfDemo();
  const context: SandboxContext = {
    bearer: (role) => `Bearer ${keys[role]}`,
    now: () => sandbox.clock.now(),
    control: controlOf(sandbox),
  };
  const own = intercept === undefined ? send : intercepted(send, intercept(context));
  const now = (): number => performance.timeOrigin + performance.now();
  const changed = onExchange === undefined ? own : recorded(own, { now, serverNow: context.now, onExchange });
  const exchanges: RecordedExchange[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    const isControl = request.url?.startsWith("/sandbox") === true;
    if (!isControl) requests += 1;
    try {
      const exchange = await forward(request, response, isControl ? send : changed);
      if (!isControl) exchanges.push(exchange);
    } catch {
      // The sandbox cut the connection, as it was told to, or a mutant failed.
      response.destroy();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sandbox,
    exchanges,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      close();
      await sandbox.close();
    },
  };
}

/** Whether `fetch` accepts a request: it does not send TRACE, nor GET and HEAD with a body. */
const isFetchable = ({ method = "GET", body }: RequestInit): boolean =>
  method !== "TRACE" && (body === undefined || !["GET", "HEAD"].includes(method));

/** Sends a request on, and its response back. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  fetch: Fetch,
): Promise<RecordedExchange> {
  const startedAt = Date.now();
  const { method = "GET", url: path = "/" } = request;
  const body = await text(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
  const result = await fetch(path, { method, headers, ...(body !== "" && { body }) });
  const content = await result.text();
  const fields = Object.fromEntries([...result.headers].filter(([name]) => !ofConnection.has(name)));
  response.writeHead(result.status, fields).end(content);
  return {
    ...{ startedAt, milliseconds: Date.now() - startedAt, method, path },
    request: { headers, body: body === "" ? null : body },
    response: { status: result.status, headers: fields, body: content },
  };
}

/** Header fields of a connection, which `node:http` writes itself. */
const ofConnection: ReadonlySet<string> = new Set([
  ...["connection", "content-length", "date", "keep-alive", "transfer-encoding"],
]);

/** Statuses without a body. */
const bodiless = new Set([204, 205, 304]);

/** Sends what `fetch` does not: TRACE, and GET with a body. */
export function sender(baseUrl: string): { send: Fetch; close(): void } {
  const agent = new Agent({ keepAlive: true });
  const send: Fetch = (path, { method = "GET", headers = {}, body = "" }) =>
    new Promise((resolve, reject) => {
      const content = Buffer.from(String(body));
      const fields = Object.fromEntries(
        [...new Headers(headers)].filter(([name]) => !ofConnection.has(name) && name !== "host"),
      );
      const length = content.length > 0 && { "content-length": String(content.length) };
      const request = open(new URL(path, baseUrl), { agent, method, headers: { ...fields, ...length } });
      request.on("error", reject).on("response", async (response) => {
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          [value].flat().join(", "),
        ]);
        const status = response.statusCode ?? 500;
        try {
          const received = await buffer(response);
          resolve(
            new Response(bodiless.has(status) ? null : new Uint8Array(received), { status, headers: pairs }),
          );
        } catch (error) {
          reject(error);
        }
      });
      request.end(content);
    });
  return { send, close: () => agent.destroy() };
}
