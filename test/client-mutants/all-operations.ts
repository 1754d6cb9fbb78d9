import type { CallError } from "../../contract/client-suite/driver/protocol.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { jsonOf } from "../../lib/objects.ts";
import { type ClientMutant, violating, withHeaders } from "./client-mutant.ts";

const all = Object.keys(operations) as OperationId[];
/** The response to a rescheduling, and that of the account, are unspecified. */
const withSpecifiedResult = all.filter((id) => id !== "rescheduleEmail" && id !== "getMe");
const withKey = all.filter((id) => operations[id].idempotent);

const knownHeader =
  /^(x-service-|x-ratelimit-|idempotent-|content-|retry-after|allow|date|connection|keep-alive|cache-control)/;
const knownTypes =
  /^(unauthorized|no_plan|forbidden|send_rejected|not_found|method_not_allowed|idempotency_conflict|not_cancellable|not_reschedulable|invalid_request|rate_limited)$/;

/** The key in the message of one kind of error. */
export const showsKeyInErrors = (title: string, kind: CallError["kind"]): ClientMutant =>
  violating("AUTH-6").mutant(title, ({ key }) => ({
    call: async (call, next) => {
      const reply = await next(call);
      if (!("error" in reply) || reply.error.kind !== kind) return reply;
      return {
        error: { ...reply.error, message: `${reply.error.message} { authorization: "Bearer ${key}" }` },
      };
    },
  }));

/** Faults that a client can have in some of its operations, as generated code does. */
const faults: [operations: OperationId[], mutant: ClientMutant][] = [
  [all, violating("GEN-1").sends("has a slash at the end of each path", ({ url }) => ({ url: `${url}/` }))],
  [
    all,
    violating("AUTH-1").sends("sends the API key in X-API-Key only", (request, { key }) =>
      withHeaders(request, { authorization: undefined, "x-api-key": key }),
    ),
  ],
  [
    all,
    violating("GEN-5").sends("accepts any media type", (request) => withHeaders(request, { accept: "*/*" })),
  ],
  [
    all,
    violating("AUTH-6").sends("sends the API key in its user agent", (request, { key }) =>
      withHeaders(request, { "user-agent": `email-client/1.0 (${key})` }),
    ),
  ],
  [all, showsKeyInErrors("shows the API key in errors of the service", "response")],
  [
    withKey,
    violating("IDEM-5").sends("has one key for all calls", (request, context) =>
      "idempotency-key" in request.headers && context.call().idempotencyKey === undefined
        ? withHeaders(request, { "idempotency-key": "email-client" })
        : undefined,
    ),
  ],
  [
    all,
    violating("GEN-10").receives("fails on an unknown header of a response", ({ headers, status }) =>
      status < 300 && [...headers.keys()].some((name) => !knownHeader.test(name))
        ? { body: Buffer.from("unexpected header") }
        : undefined,
    ),
  ],
  [
    all,
    violating("GEN-12").rejects("fails to read an error of an unknown type", ({ type, message = "" }) =>
      typeof type === "string" && !knownTypes.test(type)
        ? { error: { kind: "unreadable", status: 200, message } }
        : undefined,
    ),
  ],
  [
    all,
    violating("ERR-2").rejects("reports no error type", (error) =>
      error.kind === "response" ? { error: { ...error, type: null } } : undefined,
    ),
  ],
  [
    withSpecifiedResult,
    violating("GEN-4").receives("takes a success that is not JSON for an empty object", ({ status, body }) =>
      status < 300 && jsonOf(body.toString()) === undefined ? { body: Buffer.from("{}") } : undefined,
    ),
  ],
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
export const oneOperationMutants: ClientMutant[] = faults.flatMap(([ids, mutant]) =>
  ids.map((id) => inOperation(mutant, id)),
);
