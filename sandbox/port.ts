import type { App } from "./app.ts";
import { guardHosts } from "./gateway.ts";
import type { RequestHandler } from "./http/handler.ts";
import { createHostCheck } from "./http/hosts.ts";
import { type HttpServer, listen } from "./http/node.ts";
import { unreadable } from "./middleware/body.ts";
import type { SandboxOptions } from "./services.ts";
import { respondAtStart } from "./starting.ts";

/** The port of a sandbox. It is open before the store is. */
export interface Port extends HttpServer {
  /** Passes requests to the gateway from now on. Until then, all but probes get 503. */
  serve(gateway: RequestHandler, app: App): void;
}

/**
 * Opens the port. Only here hosts are checked: `fetch` is called by this process, not by a web page.
 *
 * @throws UserError when a host name is invalid; Node's error when the port cannot be opened
 */
export async function openPort(options: SandboxOptions): Promise<Port> {
  const { port = 0, host = "127.0.0.1", allowHosts, requestTimeout = 60_000 } = options;
  const isOwnHost = createHostCheck(host, allowHosts);
  let served: { gateway: RequestHandler; guarded: RequestHandler; app: App } | undefined;
  const server = await listen({
    handle: (request) => served?.guarded.handle(request) ?? respondAtStart(request),
    bodyLimit: (request) => served?.guarded.bodyLimit(request) ?? 0,
    unreadable(line, code) {
      if (line !== undefined)
        return served?.gateway.handle(withoutBody(line)) ?? respondAtStart(withoutBody(line));
      if (served === undefined) throw new Error("The sandbox is starting.");
      return served.app.renderError(unreadable(code));
    },
    ...{ port, host, requestTimeout },
  });
  return {
    ...server,
    serve(gateway, app) {
      served = { gateway, app, guarded: guardHosts(gateway, app, isOwnHost) };
    },
  };
}

const withoutBody = (line: { method: string; target: string }) => ({ ...line, headers: {}, body: null });
