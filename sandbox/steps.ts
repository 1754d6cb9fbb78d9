import type { ApiRequest, RequestContext, Services, Success } from "./api/context.ts";
import { ErrorResponse } from "./api/error-response.ts";
import { pathOf } from "./api/router.ts";
import { checkAbility } from "./middleware/ability.ts";
import { findRoute } from "./middleware/address.ts";
import { readBody } from "./middleware/body.ts";
import { applyFailure } from "./middleware/failure.ts";
import { idempotencyRecord, replay } from "./middleware/idempotency.ts";
import { findKey } from "./middleware/key.ts";
import type { LoggedCall } from "./middleware/log.ts";
import { checkProduct } from "./middleware/product.ts";
import type { RateLimiter } from "./middleware/rate.ts";
import { hasQuotaHeaders } from "./responses/response.ts";
import { routes } from "./routes/table.ts";

/** A call on its way, with what turns up. */
export interface Call extends LoggedCall {
  request: ApiRequest;
  rateRemaining: number;
  /** Set when a failure was asked for that shows in the answer. */
  ending: "cut" | "empty" | null;
}

/** Takes a call in. */
export function arrival(request: ApiRequest, { clock, ids, onRequest }: Services): Call {
  const now = clock.now();
  return {
    request,
    requestId: ids.request(now),
    now,
    method: request.method,
    path: pathOf(request.target),
    exchange: null,
    refusal: null,
    startedAt: onRequest === undefined ? 0 : performance.now(),
    rateRemaining: 0,
    ending: null,
  };
}

/**
 * Takes a call through its steps, in this order, until one refuses it: address, method, key, rate, ability, product, readable body,
 * idempotency key, and then the operation's own: fields, objects, their state.
 */
export async function outcomeOf(
  call: Call,
  parts: Services,
  budget: RateLimiter,
): Promise<Success | ErrorResponse> {
  const { request, now } = call;
  const route = findRoute(request.method, call.path);
  if (route instanceof ErrorResponse) return route;
  const { operation } = route;
  const key = findKey(request.headers.authorization, parts.directory, now);
  if (key instanceof ErrorResponse) return key;
  const account = parts.directory.account(key.accountId);
  const { requestId } = call;
  const exchange: RequestContext = {
    request,
    requestId,
    now,
    ...route,
    key,
    account,
    body: undefined,
    idempotency: null,
  };
  call.exchange = exchange;
  const remaining = budget.take(account.id, now);
  if (remaining instanceof ErrorResponse) return remaining;
  call.rateRemaining = remaining;
  const failure = fail(call, parts);
  if (failure !== undefined) {
    const failed = await failure;
    if (failed !== undefined) return failed;
  }
  return (
    checkAbility(operation, key) ??
    checkProduct(operation, account) ??
    readRequest(exchange) ??
    (await work(exchange, parts))
  );
}

function fail(call: Call, { failures }: Services): ErrorResponse | Promise<void> | undefined {
  const failure = failures.next();
  if (failure === undefined) return undefined;
  if (failure.kind === "cut") call.ending = "cut";
  // Of the failures only a 500 may come without the error's shape.
  if (failure.kind === "status" && failure.status === 500 && !failure.body) call.ending = "empty";
  return applyFailure(failure, failures);
}

/** Reads the body where the operation takes one, and the name of the work where it takes that. */
function readRequest(exchange: RequestContext): ErrorResponse | undefined {
  const { request, operation, key, now } = exchange;
  if (operation.requestBody === null) return undefined;
  const read = readBody(request, operation.id);
  if (read instanceof ErrorResponse) return read;
  exchange.body = read.value;
  const named = idempotencyRecord(request, operation, key.id, read.value, now);
  if (named instanceof ErrorResponse) return named;
  exchange.idempotency = named;
  return undefined;
}

/**
 * Does the operation's own work. Work that was done before is answered as it was then even if it would be refused by now: the store
 * sees to that for what it takes, and for what is refused before the store is asked, this does.
 */
async function work(exchange: RequestContext, parts: Services): Promise<Success | ErrorResponse> {
  const outcome = await routes[exchange.operation.id](exchange, parts);
  const named = exchange.idempotency;
  if (named === null || !(outcome instanceof ErrorResponse)) return outcome;
  const earlier = await parts.store.recall(named, exchange.now);
  if (earlier === undefined) return outcome;
  const used = hasQuotaHeaders(exchange.operation)
    ? await parts.store.used(exchange.account.id, exchange.now)
    : undefined;
  return replay(earlier, named, used);
}
