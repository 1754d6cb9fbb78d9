import { format } from "../../support/assertions.ts";
import { type Allowed, asSet, equals, expects, type Finding, moment, rejections } from "../allowed.ts";
import { entriesIn, type Given, type Json, type Message, timeOf } from "../world.ts";
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
      [mayBeGone, ["SEND-36"], "422.send_rejected"],
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
  return {
    ids: [...new Set([...ids, ...messages.flatMap(idsOfProperties)])],
    status: isBatch ? "2XX" : 202,
    effect: (json, exchange) => {
      const entries = isBatch ? entriesIn(json?.data) : [json];
      const added = messages.map(
        (sent, index): Message => ({
          account,
          id: String(entries[index]?.id),
          sent,
          kind,
          acceptedAt: sentAt,
          dueAt: kind === "scheduled" ? timeOf(sent.scheduled_at) : null,
          isCanceled: false,
          suppressed: entriesIn(entries[index]?.suppressed),
          record: undefined,
        }),
      );
      const after = { ...given, world: { ...world, messages: [...world.messages, ...added] } };
      const charged = chargeAllowance(after, exchange);
      const findings = [
        equals(["BATCH-9"], "the number of entries in data", entries.length, messages.length),
        ...added.flatMap((message, index) => entryFindings(after, message, entries[index] ?? {})),
        ...charged.findings,
      ];
      return { world: charged.world, findings };
    },
  };
}

/** The requirements by which a message is accepted with these properties. */
const idsOfProperties = (sent: Json): string[] => [
  ...(recipientsOf(sent).length > 1 ? ["SEND-35"] : []),
  ...(sent.attachments === undefined ? [] : ["ATT-1", "ATT-2", "ATT-7", "ATT-11"]),
  ...(sent.scheduled_at === undefined ? [] : ["SCHED-1", "SCHED-2"]),
];

/** Unsubscribes of contacts do not stop messages to them. */
const idsOfContacts = ({ world: { contacts } }: Given, sent: Json): string[] =>
  contacts.some(({ email }) => recipientsOf(sent).includes(email)) ? ["UNSUB-3"] : [];

/** The requirements of the response to a send, or of the entry of a message in the response to a batch. */
const idsOfKind = {
  immediate: { id: "SEND-31", suppressed: "SEND-34" },
  scheduled: { id: "SCHED-3", suppressed: "SCHED-5" },
  batch: { id: "BATCH-11", suppressed: "BATCH-12" },
};

function entryFindings(given: Given, message: Message, entry: Json): Finding[] {
  const { kind, sent, suppressed } = message;
  const { must, may } = suppressedOf(sent, given);
  const ids = idsOfKind[kind];
  const isNew = given.world.messages.filter(({ id }) => id === message.id).length === 1;
  const isRight = without(suppressed, must).length === 0 && without(may, suppressed).length === 0;
  const idsOfSuppressed = [ids.suppressed, ...idsOfContacts(given, sent)];
  const remaining = asSet(without(suppressed, entriesIn(sent.to)));
  const time = moment(timeOf(sent.scheduled_at));
  return [
    expects([ids.id], isNew, "a new id", format(entry.id)),
    expects(idsOfSuppressed, isRight, `suppressed ${format(must)}`, format(entry.suppressed)),
    ...(kind === "immediate" ? [equals(["SEND-33"], "to", asSet(entry.to), remaining)] : []),
    ...(kind === "scheduled" ? [equals(["SCHED-4"], "scheduled_at", entry.scheduled_at, time)] : []),
  ];
}
