import { errors } from "../generated/errors.ts";
import { headers as named } from "../generated/headers.ts";
import { operations } from "../generated/operations.ts";
import { requests } from "../generated/validators/requests.js";
import { createRateLimiter, findKey, type RateLimiter } from "./api/access.ts";
import { type ApiRequest, type ApiResponse, bodyLimits, type Services, type Success } from "./api/context.ts";
import { ErrorResponse, errorTypeOf } from "./api/error-response.ts";
import { createRouter, pathOf } from "./api/paths.ts";
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
  const start = (request: ApiRequest): Progress => {
    const { method } = request;
    const path = pathOf(request.target);
    return {
      ...{ request, method, path, route: findRoute(method, path), requestId: "", now: services.clock.now() },
      ...{ context: null, error: null, startedAt: performance.now(), rateRemaining: 0, ending: null },
    };
  };
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
  // Without the error body, as a 500 may come.
  if (progress.ending === "empty") {
    const headers = { [named.ServiceRequestId.name]: progress.requestId };
    response = { status: response.status, headers, body: "" };
  }
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

function render(result: Result, progress: Progress, limiter: RateLimiter): ApiResponse {
  if (!(result instanceof ErrorResponse)) return renderSuccess(result, progress, limiter);
  progress.error = result;
  return renderError(result, progress.requestId);
}

const json = "application/json; charset=utf-8";

/** Renders an error response; the only place that writes the error body. */
function renderError({ id, message, fields, headers }: ErrorResponse, requestId: string): ApiResponse {
  const error: Record<string, unknown> = { type: errorTypeOf(errors[id]), message };
  if (fields !== null) error.fields = fields;
  error.request_id = requestId;
  const sent: Record<string, string> = { "Content-Type": json, [named.ServiceRequestId.name]: requestId };
  if (headers !== null) Object.assign(sent, headers);
  return { status: errors[id].status, headers: sent, body: JSON.stringify({ error }) };
}

/** Renders a successful response, with the limits of the account in its headers. */
function renderSuccess(
  { status, body, used, replayed }: Success,
  { requestId, rateRemaining, context }: Progress,
  limiter: RateLimiter,
): ApiResponse {
  const { id = "", monthlyQuota = 0 } = context?.account ?? {};
  const headers: Record<string, string> = {
    "Content-Type": json,
    [named.ServiceRequestId.name]: requestId,
    [named.RateLimitLimit.name]: String(limiter.limitOf(id)),
    [named.RateLimitRemaining.name]: String(rateRemaining),
  };
  if (used !== undefined) {
    headers[named.MonthlyQuota.name] = String(monthlyQuota);
    headers[named.MonthlyRemaining.name] = String(Math.max(0, monthlyQuota - used));
  }
  if (replayed === true) headers[named.IdempotentReplayed.name] = "true";
  return { status, headers, body };
}

const none: string[] = [];

/**
 * Logs a request: never its body or its key, and in the store only when it has an account and an operation (Call log). The pages also show
 * the others, and what else is known of the last ones, from memory.
 */
function logRequest(
  logged: Progress,
  { status, body }: ApiResponse,
  milliseconds: number,
  { store, recent, onRequest }: Services,
): void {
  const { requestId, method, path, error, context, now: at } = logged;
  const errorType = error === null ? null : errorTypeOf(errors[error.id]);
  const accountId = context?.account.id ?? null;
  // Only sends are accepted with 202.
  const accepted = status === 202 ? body : null;
  const confirmation = context?.confirmation ?? null;
  recent.add({ requestId, at, accountId, method, path, status, error, accepted, confirmation });
  if (accountId !== null) {
    const fields = error === null || error.fields === null ? none : Object.keys(error.fields);
    const entry = { requestId, accountId, method, path, status, errorType, fields, at };
    store.logRequest(entry);
  }
  if (onRequest === undefined) return;
  const time = Date.now();
  onRequest({ time, at, requestId, accountId, method, path, status, errorType, milliseconds });
}
