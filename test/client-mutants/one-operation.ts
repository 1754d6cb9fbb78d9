import { type OperationId, operations } from "../../generated/operations.ts";
import { apiKeyMutants } from "./api-key.ts";
import { bodyMutants } from "./bodies.ts";
import type { ClientMutant } from "./client-mutant.ts";
import { errorMutants } from "./errors.ts";
import { idempotencyMutants } from "./idempotency.ts";
import { pathMutants } from "./paths.ts";
import { requestMutants } from "./requests.ts";
import { responseMutants } from "./responses.ts";
import { unknownPartMutants } from "./unknown-parts.ts";

const all = Object.keys(operations) as OperationId[];
const withBody = all.filter((id) => operations[id].requestBody !== null);
/** The response to a rescheduling, and that of the account, are unspecified. */
const withSpecifiedResult = all.filter((id) => id !== "rescheduleEmail" && id !== "getMe");
const withKey = all.filter((id) => operations[id].idempotent);
const withParameter = (name: string): OperationId[] =>
  all.filter((id) => (operations[id].pathParameters as readonly string[]).includes(name));

/** Faults that a client can have in some of its operations, as generated code does. */
const faults: [title: string, list: readonly ClientMutant[], operations: OperationId[]][] = [
  ["has a slash at the end of each path", requestMutants, all],
  ["sends the API key in X-API-Key only", requestMutants, all],
  ["accepts any media type", requestMutants, all],
  ["sends the API key in its user agent", apiKeyMutants, all],
  ["shows the API key in errors of the service", apiKeyMutants, all],
  ["sends bodies as text", bodyMutants, withBody],
  ["encodes ids twice", pathMutants, withParameter("id")],
  ["encodes email addresses twice", pathMutants, withParameter("email")],
  ["ignores the key of the caller", idempotencyMutants, withKey],
  ["has one key for all calls", idempotencyMutants, withKey],
  ["fails on an unknown header of a response", unknownPartMutants, all],
  ["fails to read an error of an unknown type", unknownPartMutants, all],
  ["returns nothing in place of an unknown error type", unknownPartMutants, all],
  ["reports no error type", errorMutants, all],
  ["returns the error object as a result", errorMutants, all],
  ["reports each 4xx as status 400", errorMutants, all],
  ["takes a success that is not JSON for an empty object", responseMutants, withSpecifiedResult],
];

/** A mutant whose fault is in one operation only. */
const inOperation = ({ requirement, title, create }: ClientMutant, operation: OperationId): ClientMutant => ({
  requirement,
  title: `${operation} ${title}`,
  create: (context) => {
    const { send, call } = create(context);
    return {
      ...(send && {
        send: (request, next) =>
          context.call().operation === operation ? send(request, next) : next(request),
      }),
      ...(call && { call: (made, next) => (made.operation === operation ? call(made, next) : next(made)) }),
    };
  },
});

/** Mutants with a fault in one operation. */
export const oneOperationMutants: ClientMutant[] = faults.flatMap(([title, list, ids]) => {
  const base = list.find((one) => one.title === title);
  if (base === undefined) throw new Error(`There is no mutant ${title}.`);
  return ids.map((id) => inOperation(base, id));
});
