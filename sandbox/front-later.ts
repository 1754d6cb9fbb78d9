import type { ApiRequest } from "./api/context.ts";
import type { GatewayServices } from "./control/operation.ts";
import type { SiteResponse } from "./control/response.ts";

/**
 * The same as `createFront`, loaded with the first request that needs it: most sandboxes are started for their API, and start
 * sooner without the pages.
 */
export function createLazyGateway(
  parts: GatewayServices,
): (request: ApiRequest) => Promise<SiteResponse | undefined> {
  let front: Promise<(request: ApiRequest) => Promise<SiteResponse | undefined>> | undefined;
  return async (request) => {
    front ??= import("./gateway.ts").then(({ createGateway: createFront }) => createFront(parts));
    return (await front)(request);
  };
}

/** Whether a server that listens there is reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
