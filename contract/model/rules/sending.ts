import { format } from "../../support/assertions.ts";
import { type Allowed, type Effect, rejections, success } from "../allowed.ts";
import { asSet, equals, expects, type Finding, moment, provenIf } from "../findings.ts";
import { type Contact, entriesIn, type Given, type Json, type Message, timeOf } from "../world.ts";
import { chargeAllowance } from "./allowance.ts";
import { isWithout, messagesIn, recipientsOf, suppressedOf, without } from "./recipients.ts";

/** A single send or a batch. */
export function send(given: Given): Allowed[] {
  const { operation, body, now } = given;
  const isGone = operation === "sendEmail" && isWithout(suppressedOf(body, given).must, body);
  const mayBeGone = messagesIn(given).some((sent) => isWithout(suppressedOf(sent, given).may, sent));
  return [
    // A message without a recipient who is not suppressed is unspecified in a batch.
    ...(isGone ? [] : [accepted(given)]),
    ...rejections(
      [mayBeGone, isGone ? ["SEND-36"] : [], "422.send_rejected"],
      // A time in the past is unspecified.
      [timeOf(body.scheduled_at) < now, [], "422.invalid_request"],
    ),
  ];
}

/** The world with the messages that a send adds, and its response compared with them. */
function accepted(given: Given): Allowed {
  const { world, account, operation, body, sentAt } = given;
  const messages = messagesIn(given);
  const isBatch = operation === "sendBatch";
  const kind = isBatch ? "batch" : body.scheduled_at === undefined ? "immediate" : "scheduled";
  const ids = isBatch ? ["BATCH-4", "BATCH-7"] : ["SEND-30", ...idsOfContacts(given, body)];
  const idsOfAll = new Set([...ids, ...messages.flatMap((sent) => idsOfProperties(sent, given))]);
  const messageOf = (sent: Json, { id, suppressed }: Json = {}): Message => ({
    account,
    id: String(id),
    sent,
    kind,
    acceptedAt: sentAt,
    dueAt: kind === "scheduled" ? timeOf(sent.scheduled_at) : null,
    isCanceled: false,
    suppressed: entriesIn(suppressed),
    siblings: messages.filter((other) => other !== sent),
    isMoved: false,
    since: kind === "scheduled" ? ["SCHED-1", "SCHED-7"] : [],
    record: undefined,
  });
  const effect: Effect = (json, exchange) => {
    const entries = isBatch ? entriesIn(json.data) : [json];
    const added = messages.map((sent, index) => messageOf(sent, entries[index]));
    const after = { ...given, world: { ...world, messages: [...world.messages, ...added] } };
    const charged = chargeAllowance(after, exchange);
    const findings = [
      equals(["BATCH-9"], "the number of entries in data", entries.length, messages.length),
      ...added.flatMap((message, index) => entryFindings(after, message, entries[index] ?? {})),
      ...charged.findings,
    ];
    return { world: charged.world, findings };
  };
  return success([...idsOfAll], effect, isBatch ? "2XX" : 202);
}

/** The requirements by which a message is accepted with these properties. */
function idsOfProperties(sent: Json, given: Given): string[] {
  const attachments = entriesIn(sent.attachments);
  return [
    ...(suppressedOf(sent, given).must.length > 0 ? ["SEND-35"] : []),
    ...(attachments.length > 0 ? ["ATT-1", "ATT-2", "ATT-11"] : []),
    ...(attachments.some(({ path }) => path !== undefined) ? ["ATT-7"] : []),
    ...(sent.scheduled_at === undefined ? [] : ["SCHED-2"]),
  ];
}

/** Unsubscribes of contacts do not stop messages to them. */
function idsOfContacts({ world: { contacts } }: Given, sent: Json): string[] {
  const hasLeft = (one: Contact): boolean =>
    one.hasLeft || [...one.memberships.values()].flat().some(({ status }) => status === "unsubscribed");
  const isRecipient = ({ email }: Contact): boolean => recipientsOf(sent).includes(email);
  return contacts.some((one) => isRecipient(one) && hasLeft(one)) ? ["UNSUB-3"] : [];
}

/** The requirements of the response to a send, or of the entry of a message in the response to a batch. */
const idsOfKind = {
  immediate: { id: "SEND-31", suppressed: "SEND-34" },
  scheduled: { id: "SCHED-3", suppressed: "SCHED-5" },
  batch: { id: "BATCH-11", suppressed: "BATCH-12" },
};

function entryFindings(given: Given, message: Message, entry: Json): Finding[] {
  const { kind, sent, suppressed, dueAt } = message;
  const { must, may } = suppressedOf(sent, given);
  const ids = idsOfKind[kind];
  const isNew = given.world.messages.filter(({ id }) => id === message.id).length === 1;
  const isRight = without(suppressed, must).length === 0 && without(may, suppressed).length === 0;
  const idsOfSuppressed = [ids.suppressed, ...idsOfContacts(given, sent)];
  const listed = isRight
    ? { ids: idsOfSuppressed }
    : expects(idsOfSuppressed, false, `suppressed ${format(must)}`, format(entry.suppressed));
  const remaining = asSet(without(suppressed, entriesIn(sent.to)));
  const time = dueAt === null ? [] : [equals(["SCHED-4"], "scheduled_at", entry.scheduled_at, moment(dueAt))];
  return [
    expects([ids.id], isNew, "a new id", isNew ? "" : format(entry.id)),
    provenIf(must.length > 0, listed, [ids.suppressed]),
    ...(kind === "immediate" ? [equals(["SEND-33"], "to", asSet(entry.to), remaining)] : []),
    ...time,
  ];
}
