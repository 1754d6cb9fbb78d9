import type { OperationId } from "../../generated/operations.ts";
import { goodCall, isSuccess } from "./answers.ts";
import { must } from "./broken.ts";
import { call, type Exchange } from "./call.ts";
import type { Case } from "./cases/case.ts";
import { deriveCases } from "./cases/derive.ts";
import type { Trial } from "./check.ts";
import { type Claims, shared } from "./claims.ts";
import { document } from "./document.ts";
import { errorOf, hasErrorShape, hasOneRequestId } from "./error-laws.ts";
import { oracle } from "./oracle.ts";
import { settings } from "./settings.ts";

const cases = deriveCases(document, oracle);

/**
 * The cases on both sides of the constraints of an operation, by the law that claims them.
 * @throws Error unless each of them belongs to one law
 */
export const casesOf = <Law extends string>(
  operation: OperationId,
  claims: Claims<Law>,
): Record<Law, Case[]> =>
  shared(
    cases.filter((one) => one.operation === operation),
    claims,
  );

/** A trial for each case: what keeps to the document is accepted, what does not is refused with 422. */
export const tried = (given: Case[], isAccepted: (exchange: Exchange) => void = succeeds): Trial[] =>
  given.filter(isPromised).map((one) => ({
    title: one.title,
    run: async () => {
      const { operation, body, headers, accepted } = one;
      const exchange = await call({ ...(await goodCall(operation as OperationId)), body, headers });
      if (accepted) isAccepted(exchange);
      else isRefused(exchange, one);
    },
  }));

const barredFromBatch = /\.(attachments|scheduled_at)$/;

/**
 * Whether the service promises what the document claims of a case. A mock is asked all that the document says; of a real
 * server this leaves out fields that stand together although only one is meant, and numbers in a field of another type.
 */
function isPromised({ keyword, field, accepted }: Case): boolean {
  if (settings.profile === "mock") return true;
  if (keyword === "not") return barredFromBatch.test(field);
  return !(keyword === "type" && field === "fields.*" && accepted);
}

function succeeds(exchange: Exchange): void {
  must(isSuccess(exchange), exchange, {
    expected: "success, since the request keeps to the document",
    found: `status ${exchange.status}`,
  });
}

function isRefused(exchange: Exchange, { operation, where, field }: Case): void {
  must(exchange.status === 422, exchange, {
    expected: "status 422, since the request breaks a rule",
    found: `status ${exchange.status}`,
  });
  hasErrorShape(exchange, { operation: operation as OperationId, key: "422" });
  hasOneRequestId(exchange);
  const { type, fields } = errorOf(exchange) ?? {};
  must(type === "invalid_request", exchange, {
    expected: "error.type invalid_request",
    found: `error.type ${JSON.stringify(type)}`,
  });
  must(where !== "body" || field === "" || fields !== undefined, exchange, {
    expected: "error.fields, since a rule on a field is broken",
    found: "an error without fields",
  });
}
