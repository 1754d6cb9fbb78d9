import type { ApiRequest } from "./api/context.ts";
import { pathOf } from "./api/router.ts";
import type { App } from "./app.ts";
import type { HttpResponse } from "./http/node.ts";
import { failureResponse } from "./middleware/failure.ts";

/** Answers what is not the API; undefined for an address that it does not have. */
export type Front = (request: ApiRequest) => Promise<HttpResponse | undefined>;

/** Answers every request: the API itself, what stands beside it, and with 404 everything else. It rejects only when the sandbox has ended meanwhile. */
export function createHandler(
  app: App,
  front: Front,
  onError: (error: unknown) => void,
): (request: ApiRequest) => Promise<HttpResponse> {
  return (request) => (isApi(request.target) ? app.answer(request) : beside(request, app, front, onError));
}

async function beside(
  request: ApiRequest,
  app: App,
  front: Front,
  onError: (error: unknown) => void,
): Promise<HttpResponse> {
  try {
    return (await front(request)) ?? (await app.answer(request));
  } catch (error) {
    onError(error);
    return app.refuse(failureResponse(500));
  }
}

/** Whether a target is one of the API, of whichever version. */
export function isApi(target: string): boolean {
  return target.startsWith("/api/") || pathOf(target).startsWith("/api/");
}
