import { errors } from "../generated/errors.ts";
import { type HeaderRow, headers as named } from "../generated/headers.ts";
import { operations } from "../generated/operations.ts";
import { requests } from "../generated/validators/requests.js";
import { checkAccess, createRateLimiter, findKey, type RateLimiter } from "./api/access.ts";
import { readBody } from "./api/body.ts";
import {
  type ApiRequest,
  type ApiResponse,
  bodyLimits,
  type RequestContext,
  type Services,
  type Success,
} from "./api/context.ts";
import { ErrorResponse, errorTypeOf } from "./api/error-response.ts";
import { type ParametersParser, readParameters } from "./api/field-errors.ts";
import { idempotencyRecord, replay } from "./api/idempotency.ts";
import { createRouter, type GatewayError, pathOf, type Route } from "./api/paths.ts";
import { applyFailure, failureOf } from "./api/simulated-failure.ts";
import { ClosedError } from "./domain/store.ts";
import { handlers } from "./routes/table.ts";

/** The API, from request to response, without a socket. */
export type App = ReturnType<typeof createApp>;

type Result = Success | ErrorResponse;

/** The operations that an app serves, with their handlers and the validators of their parameters. */
export interface ApiDefinition {
  operations: readonly Route["operation"][];
  /** Each gets the context of its own operation. */
  handlers: Readonly<Record<string, (context: never, services: Services) => Result | Promise<Result>>>;
  requests: Readonly<Record<string, { parameters: ParametersParser }>>;
}

/** What requests are processed with. */
interface Pipeline {
  services: Services;
  definition: ApiDefinition;
  limiter: RateLimiter;
}

interface Progress {
  requestId: string;
  now: number;
  path: string;
  /** Null without an operation or a valid key. */
  context: RequestContext | null;
  error: ErrorResponse | null;
  request: RequestContext["request"];
  /** By a monotonic clock. */
  startedAt: number;
  route: Route | GatewayError;
  rateRemaining: number;
  /** A simulated failure that changes the response. */
  ending: "cut" | "empty" | null;
}

const contract: ApiDefinition = { operations: Object.values(operations), handlers, requests };

export function createApp(services: Services, definition = contract) {
  const findRoute = createRouter(definition.operations);
  const limiter = createRateLimiter(services.store, services.requestsPerMinute);
  const pipeline = { services, definition, limiter };
  const start = (request: ApiRequest): Progress => {
    const path = pathOf(request.target);
    return {
      ...{ request, path, route: findRoute(request.method, path), requestId: "", now: services.clock.now() },
      ...{ context: null, error: null, startedAt: performance.now(), rateRemaining: 0, ending: null },
    };
  };
  return {
    /** How many bytes of body to read: none for a request that its path, method or key rejects. */
    bodyLimit({ method, target, headers }: Pick<ApiRequest, "method" | "target" | "headers">): number {
      if (findRoute(method, pathOf(target)) instanceof ErrorResponse) return 0;
      const key = findKey(headers.authorization, services.directory, services.clock.now());
      return key instanceof ErrorResponse ? 0 : bodyLimits.api;
    },
    /** Renders an error response for what is not a request to the API, or cannot be parsed. */
    renderError: (error: ErrorResponse): ApiResponse =>
      renderError(error, services.ids.unnumbered(services.clock.now())),
    /** Responds with an error to a request that cannot be handled. It is logged like any other. */
    reject(request: ApiRequest, error: ErrorResponse): ApiResponse {
      const progress = start(request);
      progress.requestId = services.ids.unnumbered(progress.now);
      return finish(progress, error, pipeline);
    },
    /** Handles a request. Errors of the sandbox become a 500 or 503; rejects only with a `ClosedError`. */
    handle: (request: ApiRequest): Promise<ApiResponse> => handle(start(request), pipeline),
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

/**
 * The checks of a request, in this order: path, method, key, rate limit, ability, product, readable body, idempotency key, parameters;
 * then the operation's own: fields, existence, state.
 */
async function resultOf(progress: Progress, pipeline: Pipeline): Promise<Result> {
  const { services, limiter } = pipeline;
  const { request, now, requestId, route } = progress;
  if (route instanceof ErrorResponse) return route;
  const { operation } = route;
  const { directory } = services;
  const key = findKey(request.headers.authorization, directory, now);
  if (key instanceof ErrorResponse) return key;
  const account = directory.account(key.accountId);
  const context: RequestContext = {
    request,
    requestId,
    now,
    operation,
    key,
    account,
    path: {},
    query: {},
    body: undefined,
    bytes: request.body?.length ?? 0,
    idempotency: null,
  };
  progress.context = context;
  const remaining = await limiter.take(account.id, now);
  if (remaining instanceof ErrorResponse) return remaining;
  progress.rateRemaining = remaining;
  const failure = await services.failures.next(context);
  if (failure?.kind === "cut") progress.ending = "cut";
  // A 500 may come without the error body.
  if (failure?.kind === "status" && failure.status === 500 && !failure.body) progress.ending = "empty";
  const failed = failure && (await applyFailure(failure, services.failures));
  if (failed) return failed;
  return (
    checkAccess(operation, key, account) ?? readRequest(context) ?? (await perform(route, context, pipeline))
  );
}

/** Reads the body and the idempotency key of an operation that has them. */
function readRequest(context: RequestContext): ErrorResponse | undefined {
  const { request, operation } = context;
  if (operation.requestBody === null) return undefined;
  const body = readBody(request, operation);
  if (body instanceof ErrorResponse) return body;
  context.body = body.value;
  const record = idempotencyRecord(context);
  if (record instanceof ErrorResponse) return record;
  context.idempotency = record;
}

/** Whether the responses of an operation carry the quota headers. */
const hasQuotaHeaders = ({ id }: Route["operation"]): boolean =>
  (named.MonthlyQuota as HeaderRow).operations?.includes(id) === true;

/**
 * Runs the handler. A repeated request gets the response of the first one even if it would be rejected by now. The store ensures that for
 * the requests that reach it, and this function for those that are rejected before.
 */
async function perform(route: Route, context: RequestContext, { services, definition }: Pipeline) {
  const { operation, account, now, idempotency } = context;
  const parser = definition.requests[operation.id]?.parameters;
  const handler = definition.handlers[operation.id];
  if (parser === undefined || handler === undefined) throw new Error(`${operation.id} has no handler`);
  const parameters = readParameters(route, context.request.target, parser);
  const result =
    parameters instanceof ErrorResponse
      ? parameters
      : await handler(Object.assign(context, parameters) as never, services);
  if (idempotency === null || !(result instanceof ErrorResponse)) return result;
  const earlier = await services.store.recall(idempotency, now);
  if (earlier === undefined) return result;
  const used = hasQuotaHeaders(operation) ? await services.store.used(account.id, now) : undefined;
  return replay(earlier, idempotency, used);
}

/** In milliseconds. If the clock of the sandbox is further off, responses have its time, so that clients can see it; Node sends its own. */
const clockDifference = 2_000;

/** Renders the response and logs it. */
function finish(progress: Progress, result: Result, { services, limiter }: Pipeline): ApiResponse {
  if (result instanceof ErrorResponse) progress.error = result;
  let response =
    result instanceof ErrorResponse
      ? renderError(result, progress.requestId)
      : renderSuccess(result, progress, limiter);
  if (progress.ending === "empty")
    response = { ...response, headers: { [named.ServiceRequestId.name]: progress.requestId }, body: "" };
  if (progress.ending === "cut") response.cut = true;
  if (Math.abs(progress.now - Date.now()) > clockDifference)
    response.headers.Date = new Date(progress.now).toUTCString();
  logRequest(progress, response, services);
  return response;
}

const json = "application/json; charset=utf-8";

/** Renders an error response; the only place that writes the error body. */
function renderError({ id, message, fields, headers }: ErrorResponse, requestId: string): ApiResponse {
  const error = { type: errorTypeOf(errors[id]), message, ...(fields && { fields }), request_id: requestId };
  const sent = { "Content-Type": json, [named.ServiceRequestId.name]: requestId, ...headers };
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

/**
 * Logs a request: never its body or its key, and in the store only when it has an account and an operation (Call log). The pages also show
 * the others, and what else is known of the last ones, from memory.
 */
function logRequest(logged: Progress, { status, body }: ApiResponse, { store, recent, onRequest }: Services) {
  const { requestId, path, error, context, now: at, startedAt } = logged;
  const { method } = logged.request;
  const errorType = error === null ? null : errorTypeOf(errors[error.id]);
  const accountId = context?.account.id ?? null;
  // Only sends are accepted with 202.
  const accepted = status === 202 ? body : null;
  const confirmation = context?.confirmation ?? null;
  recent.add({ requestId, at, accountId, method, path, status, error, accepted, confirmation });
  if (accountId !== null) {
    const fields = Object.keys(error?.fields ?? {});
    store.logRequest({ requestId, accountId, method, path, status, errorType, fields, at });
  }
  const milliseconds = performance.now() - startedAt;
  onRequest?.({ time: Date.now(), at, requestId, accountId, method, path, status, errorType, milliseconds });
}
