import { type ApiRequest, bodyLimits, type HttpResponse, type RequestHandler } from "../api/context.ts";
import demo from "../seed/demo.json" with { type: "json" };
import type { Seed } from "../seed/seed.ts";
import { openService, type SandboxOptions } from "../service.ts";
import { MemoryStore } from "../store/memory.ts";

/** The options of a sandbox without sockets and files. Serializable as JSON. */
export interface BrowserOptions
  extends Pick<SandboxOptions, "memory" | "clock" | "randomSeed" | "delays" | "requestsPerMinute"> {
  seed?: Seed;
}

/** A sandbox that gets its requests from the same process. */
export interface BrowserSandbox {
  handle(request: ApiRequest): Promise<HttpResponse>;
}

/**
 * Opens the sandbox with its store in memory, and without what needs a socket or a file: no mail leaves it and no links are downloaded. It runs
 * wherever JavaScript does.
 */
export async function openInMemory(
  { seed = demo as Seed, memory, ...options }: BrowserOptions,
  onError: (error: unknown) => void,
): Promise<BrowserSandbox> {
  const store = new MemoryStore(memory);
  // Only the page that started it can reach it.
  const access = { exposed: false, control: true };
  const { gateway } = await openService({ ...options, onError }, { seed, store, access });
  return { handle: (request) => gateway.handle(withinLimit(request, gateway)) };
}

/** Omits a body that the server on a port would not read. */
function withinLimit(request: ApiRequest, { bodyLimit }: Pick<RequestHandler, "bodyLimit">): ApiRequest {
  const size = request.body?.length ?? 0;
  return size <= bodyLimits.unchecked || size <= bodyLimit(request)
    ? request
    : { ...request, body: null, bodyOmitted: "too large" };
}
