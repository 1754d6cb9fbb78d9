import type { OperationId } from "../../generated/operations.ts";
import { goodCall, isSuccess } from "./answers.ts";
import { must } from "./broken.ts";
import { call, type Exchange } from "./call.ts";
import type { Case } from "./cases/case.ts";
import { deriveCases } from "./cases/derive.ts";
import type { Trial } from "./check.ts";
import { document } from "./document.ts";
import { errorOf, hasErrorShape, hasOneRequestId } from "./laws.ts";
import { oracle } from "./oracle.ts";

const cases = deriveCases(document, oracle);

/** The cases on both sides of the constraints of an operation, to be handed out to laws, each to one. */
export class Bounds {
  #left: Case[];

  constructor(operation: OperationId) {
    this.#left = cases.filter((one) => one.operation === operation);
  }

  /** Takes the cases of a field: those of certain keywords, or all that are left. */
  of(field: string, ...keywords: string[]): Case[] {
    return this.#take(
      (one) => one.field === field && (keywords.length === 0 || keywords.includes(one.keyword)),
    );
  }

  /** Takes all cases that are left. */
  rest(): Case[] {
    return this.#take(() => true);
  }

  #take(wanted: (one: Case) => boolean): Case[] {
    const { yes = [], no = [] } = Object.groupBy(this.#left, (one) => (wanted(one) ? "yes" : "no"));
    this.#left = no;
    return yes;
  }
}

/** A trial for each case: what keeps to the document is accepted, what does not is refused with 422. */
export const tried = (given: Case[], isAccepted: (exchange: Exchange) => void = succeeds): Trial[] =>
  given.map((one) => ({
    title: one.title,
    run: async () => {
      const { operation, body, headers, accepted } = one;
      const exchange = await call({ ...goodCall(operation as OperationId), body, headers });
      if (accepted) isAccepted(exchange);
      else isRefused(exchange, one);
    },
  }));

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
