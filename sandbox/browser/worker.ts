// The sandbox in a worker of a web page. The first message has its options; each further one is a request, and gets a response with its id.
import type { ApiRequest, HttpResponse, RequestHandler } from "../api/context.ts";
import demo from "../seed/demo.json" with { type: "json" };
import type { Seed } from "../seed/seed.ts";
import { openService, type SandboxOptions } from "../service.ts";
import { MemoryStore } from "../store/memory.ts";

/** The options of a sandbox without sockets and files. Serializable as JSON. */
export interface BrowserOptions
  extends Pick<SandboxOptions, "memory" | "clock" | "randomSeed" | "delays" | "requestsPerMinute"> {
  /** What differs from the demo accounts. */
  seed?: Partial<Seed>;
}

/**
 * Opens the sandbox with its store in memory, and without what needs a socket or a file: no mail leaves it and no links are downloaded. It runs
 * wherever JavaScript does.
 */
async function openInMemory({ seed: changes, memory, ...options }: BrowserOptions) {
  const store = new MemoryStore(memory);
  // Only the page that started it can reach it.
  const access = { exposed: false, control: true };
  const seed = { ...demo, ...changes } as Seed;
  return (await openService({ ...options, onError: report }, { seed, store, access })).gateway;
}

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

let gateway: Promise<RequestHandler> | undefined;

async function open(options: BrowserOptions): Promise<void> {
  gateway = openInMemory(options);
  await gateway;
  scope.postMessage({ opened: true });
}

async function respond(id: number, request: SentRequest): Promise<void> {
  try {
    const response = await (await gateway)?.handle(request);
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
