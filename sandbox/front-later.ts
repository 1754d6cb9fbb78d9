import type { SiteAnswer } from "./control/answer.ts";
import type { FrontParts } from "./control/parts.ts";
import type { ApiRequest } from "./exchange.ts";

/**
 * The same as `createFront`, loaded with the first request that needs it: most sandboxes are started for their API, and start
 * sooner without the pages.
 */
export function createFrontLater(
  parts: FrontParts,
): (request: ApiRequest) => Promise<SiteAnswer | undefined> {
  let front: Promise<(request: ApiRequest) => Promise<SiteAnswer | undefined>> | undefined;
  return async (request) => {
    front ??= import("./front.ts").then(({ createFront }) => createFront(parts));
    return (await front)(request);
  };
}

/** Whether a server that listens there is reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
