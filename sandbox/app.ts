import { operations } from "../generated/operations.ts";
import { requests } from "../generated/validators/requests.js";
import type { ApiRequest, ApiResponse, RequestContext, Services, Success } from "./api/context.ts";
import { ErrorResponse } from "./api/error-response.ts";
import { pathOf } from "./api/path-matcher.ts";
import { createRouter, type Route } from "./api/router.ts";
import { ClosedError } from "./domain/closed.ts";
import { bodyLimits } from "./http/body.ts";
import { checkAccess, findKey } from "./middleware/access.ts";
import { readBody } from "./middleware/body.ts";
import { applyFailure, failureResponse } from "./middleware/failure.ts";
import { idempotencyRecord, replay } from "./middleware/idempotency.ts";
import { type LoggedExchange, logRequest } from "./middleware/log.ts";
import { createRateLimiter } from "./middleware/rate.ts";
import { hasQuotaHeaders, renderEmpty, renderError, renderSuccess } from "./responses/response.ts";
import { handlers } from "./routes/table.ts";
import { type ParametersParser, readParameters } from "./validation/parameters.ts";

/** The API, from request to response, without a socket. */
export interface App {
  /** Handles a request. Errors of the sandbox become a 500; rejects only with a `ClosedError`. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Renders an error response for what is not a request to the API, or cannot be parsed. */
  renderError(error: ErrorResponse): ApiResponse;
  /** How many bytes of body to read: none for a request that its path, method or key rejects. */
  bodyLimit(request: Pick<ApiRequest, "method" | "target" | "headers">): number;
  /** Resets the rate limits after a reset of the store, whose sequence starts again: requests in progress are not logged. */
  reset(resetStore: () => Promise<void>): Promise<void>;
}

type Result = Success | ErrorResponse;

/** The operations that an app serves, with their handlers and the validators of their parameters. */
export interface ApiDefinition {
  operations: readonly Route["operation"][];
  /** Each gets the context of its own operation. */
  handlers: Readonly<Record<string, (context: never, services: Services) => Result | Promise<Result>>>;
  requests: Readonly<Record<string, { parameters: ParametersParser }>>;
}

const contract: ApiDefinition = { operations: Object.values(operations), handlers, requests };

/** A request in progress. */
interface Progress extends LoggedExchange {
  request: ApiRequest;
  rateRemaining: number;
  /** A simulated failure that changes the response. */
  ending: "cut" | "empty" | null;
}

/** Creates the API. */
export function createApp(services: Services, definition = contract): App {
  const findRoute = createRouter(definition.operations);
  const limiter = createRateLimiter(services.requestsPerMinute);
  let resets = 0;

  /**
   * The checks of a request, in this order: path, method, key, rate limit, ability, product, readable body, idempotency key, parameters;
   * then the operation's own: fields, existence, state.
   */
  async function outcomeOf(progress: Progress): Promise<Result> {
    const { request, now, requestId } = progress;
    const route = findRoute(request.method, progress.path);
    if (route instanceof ErrorResponse) return route;
    const { operation } = route;
    const key = findKey(request.headers.authorization, services.directory, now);
    if (key instanceof ErrorResponse) return key;
    const account = services.directory.account(key.accountId);
    const bytes = request.body?.length ?? 0;
    const unread = { path: {}, query: {}, body: undefined, bytes, idempotency: null };
    const context: RequestContext = { request, requestId, now, operation, key, account, ...unread };
    progress.context = context;
    const remaining = limiter.take(account.id, now);
    if (remaining instanceof ErrorResponse) return remaining;
    progress.rateRemaining = remaining;
    const failure = fail(progress);
    if (failure !== undefined) {
      const failed = await failure;
      if (failed !== undefined) return failed;
    }
    return checkAccess(operation, key, account) ?? readRequest(context) ?? (await perform(route, context));
  }

  function fail(progress: Progress): ErrorResponse | Promise<void> | undefined {
    const failure = services.failures.next();
    if (failure === undefined) return undefined;
    if (failure.kind === "cut") progress.ending = "cut";
    // A 500 may come without the error body.
    if (failure.kind === "status" && failure.status === 500 && !failure.body) progress.ending = "empty";
    return applyFailure(failure, services.failures);
  }

  /**
   * Runs the handler. A repeated request gets the response of the first one even if it would be rejected by now. The store ensures that for
   * the requests that reach it, and this function for those that are rejected before.
   */
  async function perform(route: Route, context: RequestContext): Promise<Result> {
    const { operation, account, now, idempotency } = context;
    const parser = definition.requests[operation.id]?.parameters;
    const handler = definition.handlers[operation.id];
    if (parser === undefined || handler === undefined) throw new Error(`${operation.id} has no handler`);
    const parameters = readParameters(route, context.request.target, parser);
    const outcome =
      parameters instanceof ErrorResponse
        ? parameters
        : await handler(Object.assign(context, parameters) as never, services);
    if (idempotency === null || !(outcome instanceof ErrorResponse)) return outcome;
    const earlier = await services.store.recall(idempotency, now);
    if (earlier === undefined) return outcome;
    const used = hasQuotaHeaders(operation) ? await services.store.used(account.id, now) : undefined;
    return replay(earlier, idempotency, used);
  }

  function render(outcome: Result, progress: Progress): ApiResponse {
    if (outcome instanceof ErrorResponse) {
      progress.error = outcome;
      return renderError(outcome, progress.requestId);
    }
    const { id = "", monthlyQuota = 0 } = progress.context?.account ?? {};
    return renderSuccess(outcome, progress.requestId, {
      rateLimit: String(limiter.limitOf(id)),
      rateRemaining: progress.rateRemaining,
      monthlyQuota,
    });
  }

  return {
    async reset(resetStore) {
      resets += 1;
      await resetStore();
      limiter.reset();
    },
    bodyLimit({ method, target, headers }) {
      if (findRoute(method, pathOf(target)) instanceof ErrorResponse) return 0;
      const key = findKey(headers.authorization, services.directory, services.clock.now());
      return key instanceof ErrorResponse ? 0 : bodyLimits.api;
    },
    renderError(error) {
      const now = services.clock.now();
      try {
        return renderError(error, services.ids.request(now));
      } catch (failure) {
        services.onError?.(failure);
        return renderError(error, services.ids.unnumbered(now));
      }
    },
    async handle(request) {
      const progress = start(request, services);
      const resetsBefore = resets;
      let outcome: Result;
      try {
        progress.requestId = services.ids.request(progress.now);
        outcome = await outcomeOf(progress);
      } catch (error) {
        if (error instanceof ClosedError) throw error;
        services.onError?.(error);
        progress.requestId ||= services.ids.unnumbered(progress.now);
        outcome = failureResponse(500);
      }
      let response = render(outcome, progress);
      if (progress.ending === "empty") response = renderEmpty(response.status, progress.requestId);
      if (progress.ending === "cut") response.cut = true;
      logRequest(progress, response, services, resets === resetsBefore);
      return response;
    },
  };
}

function start(request: ApiRequest, { clock, onRequest }: Services): Progress {
  return {
    request,
    requestId: "",
    now: clock.now(),
    method: request.method,
    path: pathOf(request.target),
    context: null,
    error: null,
    startedAt: onRequest === undefined ? 0 : performance.now(),
    rateRemaining: 0,
    ending: null,
  };
}

/** Reads the body and the idempotency key of an operation that has them. */
function readRequest(context: RequestContext): ErrorResponse | undefined {
  const { request, operation, key, now } = context;
  if (operation.requestBody === null) return undefined;
  const body = readBody(request, operation);
  if (body instanceof ErrorResponse) return body;
  context.body = body.value;
  const record = idempotencyRecord(request, operation, key.id, body.value, now);
  if (record instanceof ErrorResponse) return record;
  context.idempotency = record;
  return undefined;
}
