// The sandbox in a worker of a web page. The first message has its options; each further one is a request, and gets a response with its id.
import type { ApiRequest, HttpResponse } from "../api/context.ts";
import { type BrowserOptions, type BrowserSandbox, openInMemory } from "./open.ts";

/** What the page sends. */
export type ToWorker = { open: BrowserOptions } | { id: number; request: SentRequest };

/** A request as the page sends it: the header names in lower case. */
export type SentRequest = Pick<ApiRequest, "method" | "target" | "headers" | "body">;

/** What the page gets: that the sandbox has started, an error of the sandbox, or the response to the request with that id. */
export type FromWorker =
  | { opened: true }
  | { error: string }
  | { id: number; response: HttpResponse }
  | { id: number; closed: true };

/** The parts of a worker's global scope that are used here: the types of Node do not have them. */
interface WorkerScope {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", listener: (event: { data: ToWorker }) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

const report = (error: unknown): void =>
  scope.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });

let sandbox: Promise<BrowserSandbox> | undefined;

async function open(options: BrowserOptions): Promise<void> {
  sandbox = openInMemory(options, report);
  await sandbox;
  scope.postMessage({ opened: true });
}

async function respond(id: number, request: SentRequest): Promise<void> {
  try {
    const response = await (await sandbox)?.handle(request);
    scope.postMessage(response === undefined ? { id, closed: true } : { id, response });
  } catch (error) {
    report(error);
    scope.postMessage({ id, closed: true });
  }
}

scope.addEventListener("message", ({ data }) => {
  if ("open" in data) open(data.open).catch(report);
  else void respond(data.id, data.request);
});
