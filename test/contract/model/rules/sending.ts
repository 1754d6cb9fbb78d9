import { accountOf } from "../../engine/settings.ts";
import { format } from "../../support/assertions.ts";
import { type Allowed, asSet, equals, expects, type Finding, rejected } from "../allowed.ts";
import { type Context, entriesIn, type Json, type Message, type ModelRequest, type World } from "../world.ts";
import { chargeAllowance } from "./allowance.ts";
import { messagesIn, recipientsOf, suppressedOf } from "./recipients.ts";

/** A single send. */
export function sendEmail(world: World, request: ModelRequest, context: Context): Allowed[] {
  const { body: sent = {} } = request;
  const { must, may } = suppressedOf(sent, request.key, context);
  const all = recipientsOf(sent);
  const isGone = (suppressed: string[]): boolean => all.every((email) => suppressed.includes(email));
  const accepted: Allowed = {
    ids: ["SEND-30", ...idsOfProperties(sent), ...idsOfContacts(world, sent)],
    status: 202,
    effect: (json, exchange) => {
      const kind = sent.scheduled_at === undefined ? "immediate" : "scheduled";
      const added = accept(world, request, [[sent, json]], kind, context);
      const charged = chargeAllowance(added, request, exchange, context);
      const findings = entryFindings(world, request, sent, kind, context, json);
      return { world: charged.world, findings: [...findings, ...charged.findings] };
    },
  };
  const isPast = Date.parse(String(sent.scheduled_at)) < context.now;
  return [
    ...(isGone(must) ? [] : [accepted]),
    ...(isGone(may) ? [rejected(["SEND-36"], "422.send_rejected")] : []),
    // A time in the past is unspecified.
    ...(isPast ? [rejected([], "422.invalid_request")] : []),
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
  const isGone = (sent: Json): boolean => {
    const { may } = suppressedOf(sent, request.key, context);
    return recipientsOf(sent).every((email) => may.includes(email));
  };
  const accepted: Allowed = {
    ids: ["BATCH-4", "BATCH-7", ...new Set(messages.flatMap(idsOfProperties))],
    status: "2XX",
    effect: (json, exchange) => {
      const entries = entriesIn(json?.data);
      const pairs = messages.map((sent, index) => [sent, entries[index] ?? {}] as const);
      const added = accept(world, request, pairs, "batch", context);
      const charged = chargeAllowance(added, request, exchange, context);
      const ids = new Set(entries.map(({ id }) => id));
      const findings = [
        equals(["BATCH-9"], "the number of entries in data", entries.length, messages.length),
        equals(["BATCH-11"], "the number of ids", ids.size, entries.length),
        ...pairs.flatMap(([sent, entry]) => entryFindings(world, request, sent, "batch", context, entry)),
        ...charged.findings,
      ];
      return { world: charged.world, findings };
    },
  };
  // A message without a recipient who is not suppressed is unspecified in a batch.
  return messages.some(isGone) ? [rejected(["SEND-36"], "422.send_rejected"), accepted] : [accepted];
}

/** The requirements of the response to a send, or of the entry of a message in the response to a batch. */
const idsOfKind = {
  immediate: { id: "SEND-31", suppressed: "SEND-34" },
  scheduled: { id: "SCHED-3", suppressed: "SCHED-5" },
  batch: { id: "BATCH-11", suppressed: "BATCH-12" },
};

function entryFindings(
  world: World,
  request: ModelRequest,
  sent: Json,
  kind: Message["kind"],
  context: Context,
  entry: Json,
): Finding[] {
  const { must, may } = suppressedOf(sent, request.key, context);
  const suppressed = suppressedIn(entry);
  const isRight =
    must.every((one) => suppressed.includes(one)) && suppressed.every((one) => may.includes(one));
  const ids = idsOfKind[kind];
  const isNew = !world.messages.some(({ id }) => id === entry.id);
  const remaining = ((sent.to ?? []) as string[]).filter((one) => !suppressed.includes(one));
  const { to, scheduled_at } = entry;
  return [
    expects([ids.id], isNew, "a new id", format(entry.id)),
    expects(
      [ids.suppressed, ...idsOfContacts(world, sent)],
      isRight,
      `suppressed ${format(must)}`,
      format(entry.suppressed),
    ),
    ...(kind === "immediate" ? [equals(["SEND-33"], "to", asSet(to), asSet(remaining))] : []),
    ...(kind === "scheduled" ? [timeFinding("SCHED-4", scheduled_at, sent.scheduled_at)] : []),
  ];
}

const suppressedIn = ({ suppressed }: Json): string[] => (Array.isArray(suppressed) ? suppressed : []);

/** Unsubscribes of contacts do not stop messages to them. */
const idsOfContacts = ({ contacts }: World, sent: Json): string[] =>
  contacts.some(({ email }) => recipientsOf(sent).includes(email)) ? ["UNSUB-3"] : [];

/** A scheduled time, in any notation. */
export const timeFinding = (id: string, found: unknown, expected: unknown): Finding =>
  equals([id], "scheduled_at", timeOf(found), timeOf(expected));

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
  const added = pairs.map(
    ([sent, entry]): Message => ({
      account: accountOf(key),
      id: String(entry.id),
      sent,
      kind,
      acceptedAt: sentAt,
      dueAt: kind === "scheduled" ? Date.parse(String(sent.scheduled_at)) : null,
      isCanceled: false,
      suppressed: suppressedIn(entry),
      record: undefined,
    }),
  );
  return { ...world, messages: [...world.messages, ...added] };
}
