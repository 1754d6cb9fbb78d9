import { type HeaderRow, headers } from "../generated/headers.ts";
import { checkAccess, findKey, type RateLimiter } from "./api/access.ts";
import { readBody } from "./api/body.ts";
import type { RequestContext, Services, Success } from "./api/context.ts";
import { ErrorResponse } from "./api/error-response.ts";
import { type ParametersParser, readParameters } from "./api/field-errors.ts";
import { idempotencyRecord, replay } from "./api/idempotency.ts";
import type { GatewayError, Route } from "./api/paths.ts";
import { applyFailure, type Failure, type Failures } from "./api/simulated-failure.ts";

export type Result = Success | ErrorResponse;

/** The operations that an app serves, with their handlers and the validators of their parameters. */
export interface ApiDefinition {
  operations: readonly Route["operation"][];
  /** Each gets the context of its own operation. */
  handlers: Readonly<Record<string, (context: never, services: Services) => Result | Promise<Result>>>;
  requests: Readonly<Record<string, { parameters: ParametersParser }>>;
}

/** What requests are processed with. */
export interface Pipeline {
  services: Services;
  definition: ApiDefinition;
  limiter: RateLimiter;
}

/** A request in progress. */
export interface Progress {
  requestId: string;
  now: number;
  method: string;
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

/**
 * The checks of a request, in this order: path, method, key, rate limit, ability, product, readable body, idempotency key, parameters;
 * then the operation's own: fields, existence, state.
 */
export async function resultOf(progress: Progress, pipeline: Pipeline): Promise<Result> {
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
  const failure = services.failures.next(context);
  if (failure !== undefined) {
    const failed = await fail(await failure, progress, services.failures);
    if (failed !== undefined) return failed;
  }
  return (
    checkAccess(operation, key, account) ?? readRequest(context) ?? (await perform(route, context, pipeline))
  );
}

async function fail(
  failure: Failure | undefined,
  progress: Progress,
  failures: Failures,
): Promise<ErrorResponse | undefined> {
  if (failure === undefined) return undefined;
  if (failure.kind === "cut") progress.ending = "cut";
  // A 500 may come without the error body.
  if (failure.kind === "status" && failure.status === 500 && !failure.body) progress.ending = "empty";
  return (await applyFailure(failure, failures)) ?? undefined;
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
  return undefined;
}

const quota: HeaderRow = headers.MonthlyQuota;

/** Whether the responses of an operation carry the quota headers. */
const hasQuotaHeaders = ({ id }: Route["operation"]): boolean => quota.operations?.includes(id) === true;

/**
 * Runs the handler. A repeated request gets the response of the first one even if it would be rejected by now. The store ensures that for
 * the requests that reach it, and this function for those that are rejected before.
 */
async function perform(
  route: Route,
  context: RequestContext,
  { services, definition }: Pipeline,
): Promise<Result> {
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
