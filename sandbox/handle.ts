import type { App } from "./app.ts";
import type { ApiRequest } from "./exchange.ts";
import type { HttpAnswer } from "./http/node.ts";
import { failureRefusal } from "./middleware/failure.ts";
import { pathOf } from "./router.ts";

/** Answers what is not the API; undefined for an address that it does not have. */
export type Front = (request: ApiRequest) => Promise<HttpAnswer | undefined>;

/** Answers every request: the API itself, what stands beside it, and with 404 everything else. It rejects only when the sandbox has ended meanwhile. */
export function createHandler(
  app: App,
  front: Front,
  onError: (error: unknown) => void,
): (request: ApiRequest) => Promise<HttpAnswer> {
  return (request) => (isApi(request.target) ? app.answer(request) : beside(request, app, front, onError));
}

async function beside(
  request: ApiRequest,
  app: App,
  front: Front,
  onError: (error: unknown) => void,
): Promise<HttpAnswer> {
  try {
    return (await front(request)) ?? (await app.answer(request));
  } catch (error) {
    onError(error);
    return app.refuse(failureRefusal(500));
  }
}

/** Whether a target is one of the API, of whichever version. */
export function isApi(target: string): boolean {
  return target.startsWith("/api/") || pathOf(target).startsWith("/api/");
}
