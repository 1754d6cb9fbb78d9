import { isObject } from "../../../lib/objects.ts";
import { inObjects } from "../../mutants/variants/variant.ts";
import type { Json } from "../client-mutant.ts";
import { type ClientVariant, rejects, returns } from "./variant.ts";

const knownProperties = new Set(
  `id from to subject tags status status_description scheduled_at sent_at delivered_at bounced_at complained_at bounce
  events type at detail subtype permanent summary what_to_do diagnostic suppressed data lists fields name double_opt_in
  key label fallback list_id email first_name last_name subscribed_at unsubscribed_at marketing_blocked
  account abilities expires_at`.split(/\s+/),
);

const knownTypes = new Set(
  `unauthorized no_plan forbidden send_rejected not_found method_not_allowed idempotency_conflict not_cancellable
  not_reschedulable invalid_request rate_limited`.split(/\s+/),
);

const knownEvents = new Set(["sent", "delivered", "bounced", "complained", "scheduled", "canceled"]);

const filtered = (object: Json, isKept: (name: string, value: unknown) => boolean): Json =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => isKept(name, value)));

/** Objects whose property names the user chooses. */
const isChosen = (name: string, object: Json): boolean =>
  name === "tags" || name === "variables" || (name === "fields" && !("key" in object));

/** Variants with other results and errors. */
export const resultVariants: ClientVariant[] = [
  returns("drops unknown properties", (result) =>
    inObjects(result, (object, name) =>
      isChosen(name, object) ? object : filtered(object, (own) => knownProperties.has(own)),
    ),
  ),
  returns("drops properties that are null", (result) =>
    inObjects(result, (object) => filtered(object, (_, value) => value !== null)),
  ),
  returns("drops events of an unknown type", (result) =>
    inObjects(result, (object) =>
      Array.isArray(object.events)
        ? {
            ...object,
            events: object.events.filter((one) => isObject(one) && knownEvents.has(`${one.type}`)),
          }
        : object,
    ),
  ),
  returns("returns times with +00:00, and without milliseconds", (result) =>
    inObjects(result, (object) =>
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [
          name,
          /(^|_)at$/.test(name) && typeof value === "string" ? value.replace(/(\.\d+)?Z$/, "+00:00") : value,
        ]),
      ),
    ),
  ),
  rejects("reports no error type in place of an unknown one", (error) =>
    typeof error.type === "string" && !knownTypes.has(error.type)
      ? { error: { ...error, type: null } }
      : undefined,
  ),
  rejects(
    "reports each failure without a complete response as a lost connection",
    ({ kind, message = "" }) =>
      kind === "timeout" || kind === "unreadable" ? { error: { kind: "connection", message } } : undefined,
  ),
  rejects("reports lost connections as unreadable responses, and nothing but the kind", ({ kind }) =>
    kind === "connection" || kind === "unreadable" ? { error: { kind: "unreadable" } } : undefined,
  ),
  rejects("leaves absent what an error does not have", ({ type, fields, ...rest }) => ({
    error: {
      ...rest,
      ...(type != null && { type }),
      ...(fields != null && Object.keys(fields).length > 0 && { fields }),
    },
  })),
  {
    title: "has errors with status and type only, and declares that",
    create: () => ({
      capabilities: { errors: [] },
      call: async (call, next) => {
        const reply = await next(call);
        if (!("error" in reply)) return reply;
        const { fields: _, requestId: __, ...error } = reply.error;
        return { error };
      },
    }),
  },
];
