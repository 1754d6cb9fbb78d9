import { accountOf } from "../../engine/settings.ts";
import type { Exchange } from "../../exchange.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { format } from "../../support/assertions.ts";
import { type Allowed, asSet, equals, rejected } from "../allowed.ts";
import type { Context, Json, Message, ModelRequest, World } from "../world.ts";
import { chargeAllowance } from "./allowance.ts";
import { messagesIn, recipientsOf, suppressedOf } from "./recipients.ts";

/** A single send. */
export function sendEmail(world: World, request: ModelRequest, context: Context): Allowed[] {
  const { body: sent = {} } = request;
  const { must, may } = suppressedOf(sent, request.key, context);
  const all = recipientsOf(sent);
  const isGone = (suppressed: string[]): boolean => all.every((email) => suppressed.includes(email));
  const kind = sent.scheduled_at === undefined ? "immediate" : "scheduled";
  const accepted: Allowed = {
    ids: ["SEND-30", ...idsOfProperties(sent), ...idsOfContacts(world, sent)],
    status: 202,
    effect: (exchange) => {
      const added = accept(world, request, [[sent, exchange.json as Json]], kind, context);
      const charged = chargeAllowance(added, request, exchange, context);
      const findings = entryFindings({ world, request, sent, kind, context }, exchange.json as Json);
      return { world: charged.world, findings: [...findings, ...charged.findings] };
    },
  };
  return [
    ...(isGone(must) ? [] : [accepted]),
    ...(isGone(may) ? [rejected(["SEND-36"], "422.send_rejected")] : []),
    // A time in the past is unspecified.
    ...(Date.parse(String(sent.scheduled_at)) < context.now ? [rejected([], "422.invalid_request")] : []),
  ];
}

/** The requirements by which a message is accepted with these properties. */
const idsOfProperties = (sent: Json): string[] => [
  ...(recipientsOf(sent).length > 1 ? ["SEND-35"] : []),
  ...(sent.attachments === undefined ? [] : ["ATT-1", "ATT-2", "ATT-7", "ATT-11"]),
  ...(sent.scheduled_at === undefined ? [] : ["SCHED-1", "SCHED-2"]),
];

/** A batch. */
export function sendBatch(world: World, request: ModelRequest, context: Context): Allowed[] {
  const messages = messagesIn(request);
  const entriesOf = ({ json }: Exchange): Json[] => {
    const data = (json as { data?: unknown } | undefined)?.data;
    return Array.isArray(data) ? (data as Json[]) : [];
  };
  const isGone = (sent: Json): boolean => {
    const { may } = suppressedOf(sent, request.key, context);
    return recipientsOf(sent).every((email) => may.includes(email));
  };
  return [
    // A message without a recipient who is not suppressed is unspecified in a batch.
    ...(messages.some(isGone) ? [rejected(["SEND-36"], "422.send_rejected")] : []),
    {
      ids: ["BATCH-4", "BATCH-7", ...new Set(messages.flatMap(idsOfProperties))],
      status: "2XX",
      effect: (exchange) => {
        const entries = entriesOf(exchange);
        const pairs = messages.map((sent, index) => [sent, entries[index] ?? {}] as const);
        const charged = chargeAllowance(
          accept(world, request, pairs, "batch", context),
          request,
          exchange,
          context,
        );
        return {
          world: charged.world,
          findings: [
            equals(["BATCH-9"], "the number of entries in data", entries.length, messages.length),
            equals(
              ["BATCH-11"],
              "the number of ids",
              new Set(entries.map(({ id }) => id)).size,
              entries.length,
            ),
            ...pairs.flatMap(([sent, entry]) =>
              entryFindings({ world, request, sent, kind: "batch", context }, entry),
            ),
            ...charged.findings,
          ],
        };
      },
    },
  ];
}

interface Entry {
  world: World;
  request: ModelRequest;
  sent: Json;
  kind: Message["kind"];
  context: Context;
}

/** The response to a single send, or the entry of a message in the response to a batch. */
function entryFindings({ world, request, sent, kind, context }: Entry, entry: Json): ResponseFinding[] {
  const { must, may } = suppressedOf(sent, request.key, context);
  const suppressed = (Array.isArray(entry.suppressed) ? entry.suppressed : []) as string[];
  const isRight =
    must.every((one) => suppressed.includes(one)) && suppressed.every((one) => may.includes(one));
  const ofSuppressed = { immediate: "SEND-34", scheduled: "SCHED-5", batch: "BATCH-12" }[kind];
  const ids = { immediate: ["SEND-31"], scheduled: ["SCHED-3"], batch: ["BATCH-11"] }[kind];
  const isNew = !world.messages.some(({ id }) => id === entry.id);
  const remaining = ((sent.to ?? []) as string[]).filter((one) => !suppressed.includes(one));
  return [
    finding(ids, "a message has an id of its own", isNew, { expected: "a new id", found: format(entry.id) }),
    finding([ofSuppressed, ...idsOfContacts(world, sent)], "suppressed, after the requests so far", isRight, {
      expected: `suppressed ${format(must)}`,
      found: format(entry.suppressed),
    }),
    ...(kind === "immediate" ? [equals(["SEND-33"], "to", asSet(entry.to), asSet(remaining))] : []),
    ...(kind === "scheduled" ? [timeFinding(sent, entry)] : []),
  ];
}

/** Unsubscribes of contacts do not stop messages to them. */
const idsOfContacts = ({ contacts }: World, sent: Json): string[] =>
  contacts.some(({ email }) => recipientsOf(sent).includes(email)) ? ["UNSUB-3"] : [];

const timeFinding = (sent: Json, entry: Json): ResponseFinding =>
  equals(["SCHED-4"], "scheduled_at", timeOf(entry.scheduled_at), timeOf(sent.scheduled_at));

/** The same moment in any notation. */
export const timeOf = (value: unknown): string | null =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : null;

/** The world with the messages that a send added. */
function accept(
  world: World,
  { key }: ModelRequest,
  pairs: readonly (readonly [Json, Json])[],
  kind: Message["kind"],
  { sentAt }: Context,
): World {
  const account = accountOf(key);
  const added = pairs.map(
    ([sent, entry]): Message => ({
      account,
      id: String(entry.id),
      sent,
      kind,
      acceptedAt: sentAt,
      dueAt: kind === "scheduled" ? Date.parse(String(sent.scheduled_at)) : null,
      isCanceled: false,
      suppressed: (Array.isArray(entry.suppressed) ? entry.suppressed : []) as string[],
      record: undefined,
    }),
  );
  return { ...world, messages: [...world.messages, ...added] };
}
