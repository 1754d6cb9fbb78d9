import { operations } from "../generated/operations.ts";
import { requests } from "../generated/validators/requests.js";
import { createRateLimiter, findKey, type RateLimiter } from "./api/access.ts";
import { type ApiRequest, type ApiResponse, bodyLimits, type Services } from "./api/context.ts";
import { ErrorResponse } from "./api/error-response.ts";
import { logRequest } from "./api/log.ts";
import { createRouter, pathOf } from "./api/paths.ts";
import { renderEmpty, renderError, renderSuccess } from "./api/response.ts";
import { failureOf } from "./api/simulated-failure.ts";
import { ClosedError } from "./domain/store.ts";
import { type ApiDefinition, type Pipeline, type Progress, type Result, resultOf } from "./pipeline.ts";
import { handlers } from "./routes/table.ts";

/** The API, from request to response, without a socket. */
export interface App {
  /** Handles a request. Errors of the sandbox become a 500 or 503; rejects only with a `ClosedError`. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Responds with an error to a request that cannot be handled. It is logged like any other. */
  reject(request: ApiRequest, error: ErrorResponse): ApiResponse;
  /** Renders an error response for what is not a request to the API, or cannot be parsed. */
  renderError(error: ErrorResponse): ApiResponse;
  /** How many bytes of body to read: none for a request that its path, method or key rejects. */
  bodyLimit(request: Pick<ApiRequest, "method" | "target" | "headers">): number;
}

const contract: ApiDefinition = { operations: Object.values(operations), handlers, requests };

/** Creates the API. */
export function createApp(services: Services, definition = contract): App {
  const findRoute = createRouter(definition.operations);
  const limiter = createRateLimiter(services.store, services.requestsPerMinute);
  const pipeline = { services, definition, limiter };
  const start = (request: ApiRequest): Progress =>
    startOf(request, findRoute(request.method, pathOf(request.target)), services);
  return {
    bodyLimit({ method, target, headers }) {
      if (findRoute(method, pathOf(target)) instanceof ErrorResponse) return 0;
      const key = findKey(headers.authorization, services.directory, services.clock.now());
      return key instanceof ErrorResponse ? 0 : bodyLimits.api;
    },
    renderError: (error) => renderGatewayError(error, services),
    reject(request, error) {
      const progress = start(request);
      progress.requestId = services.ids.unnumbered(progress.now);
      return finish(progress, error, pipeline);
    },
    handle: (request) => handle(start(request), pipeline),
  };
}

async function handle(progress: Progress, pipeline: Pipeline): Promise<ApiResponse> {
  const { store, clock, ids, onError } = pipeline.services;
  let result: Result;
  try {
    await store.readSettings();
    progress.now = clock.now();
    progress.requestId = ids.request(progress.now);
    result = await resultOf(progress, pipeline);
  } catch (error) {
    if (error instanceof ClosedError) throw error;
    onError?.(error);
    progress.requestId ||= ids.unnumbered(progress.now);
    result = failureOf(error);
  }
  return finish(progress, result, pipeline);
}

/** In milliseconds. If the clock of the sandbox is further off, responses have its time, so that clients can see it; Node sends its own. */
const clockDifference = 2_000;

/** Renders the response and logs it. */
function finish(progress: Progress, result: Result, { services, limiter }: Pipeline): ApiResponse {
  let response = render(result, progress, limiter);
  if (progress.ending === "empty") response = renderEmpty(response.status, progress.requestId);
  if (progress.ending === "cut") response.cut = true;
  if (Math.abs(progress.now - Date.now()) > clockDifference)
    response.headers.Date = new Date(progress.now).toUTCString();
  const milliseconds = performance.now() - progress.startedAt;
  logRequest(progress, response, milliseconds, services);
  return response;
}

function renderGatewayError(error: ErrorResponse, { clock, ids, onError }: Services): ApiResponse {
  const now = clock.now();
  try {
    return renderError(error, ids.request(now));
  } catch (failure) {
    onError?.(failure);
    return renderError(error, ids.unnumbered(now));
  }
}

function startOf(request: ApiRequest, route: Progress["route"], { clock }: Services): Progress {
  return {
    request,
    route,
    requestId: "",
    now: clock.now(),
    method: request.method,
    path: pathOf(request.target),
    context: null,
    error: null,
    startedAt: performance.now(),
    rateRemaining: 0,
    ending: null,
  };
}

function render(result: Result, progress: Progress, limiter: RateLimiter): ApiResponse {
  if (result instanceof ErrorResponse) {
    progress.error = result;
    return renderError(result, progress.requestId);
  }
  const { id = "", monthlyQuota = 0 } = progress.context?.account ?? {};
  return renderSuccess(result, progress.requestId, {
    rateLimit: String(limiter.limitOf(id)),
    rateRemaining: progress.rateRemaining,
    monthlyQuota,
  });
}
