import { type OperationId, operations } from "../../generated/operations.ts";
import { goodCall, isSuccess } from "./answers.ts";
import { must } from "./broken.ts";
import { call } from "./call.ts";
import { check } from "./check.ts";
import { errorOf, hasErrorShape, hasOneRequestId } from "./error-laws.ts";

const all = Object.keys(operations) as OperationId[];

check(
  "AUTH-1",
  "a good call with its key as a bearer token is let in",
  all.map((operation) => ({
    title: operation,
    run: async () => {
      const exchange = await call(await goodCall(operation));
      must(isSuccess(exchange), exchange, { expected: "success", found: `status ${exchange.status}` });
    },
  })),
);

check(
  "AUTH-12",
  "a call without a key is answered 401 unauthorized",
  all.map((operation) => ({
    title: operation,
    run: async () => {
      const exchange = await call({ ...(await goodCall(operation)), withKey: false });
      must(exchange.status === 401, exchange, { expected: "status 401", found: `status ${exchange.status}` });
      hasErrorShape(exchange, { operation, key: "401" });
      hasOneRequestId(exchange);
      const type = errorOf(exchange)?.type;
      must(type === "unauthorized", exchange, {
        expected: "error.type unauthorized",
        found: `error.type ${type}`,
      });
    },
  })),
);
