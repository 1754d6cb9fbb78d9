import { limits } from "../../../generated/limits.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type { schemas } from "../../../generated/validators/requests.js";
import { requirementsOn } from "../../case-requirements/requirements.ts";
import { violationsOf } from "../../case-requirements/violations.ts";
import { format } from "../../support/assertions.ts";
import {
  type Allowed,
  type Comparison,
  type Effect,
  equals,
  expects,
  provenIf,
  recordedTime,
  rejected,
  rejections,
  success,
} from "../judge.ts";
import { type Contact, day, entriesIn, type Given, type Json, type Message, timeOf } from "../state.ts";
import { countTowardQuota, isSimulated, isWithout, messagesIn, recipientsOf, without } from "./allowance.ts";

export function send(given: Given): Allowed[] {
  const { operation, body, now } = given;
  // A malformed message may have no recipient.
  const isOf = (all: readonly string[], sent: Json) => all.length > 0 && isWithout(all, sent);
  const isGone = operation === "sendEmail" && isOf(suppressedOf(body, given).must, body);
  const mayBeGone = messagesIn(given).some((sent) => isOf(suppressedOf(sent, given).may, sent));
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

/** The state with the messages that a send adds, and its response compared with them. */
function accepted(given: Given): Allowed {
  const { state, account, operation, body, sentAt } = given;
  const messages = messagesIn(given);
  const isBatch = operation === "sendBatch";
  // A server that accepts null, which is unspecified, may send at once.
  const isImmediate = body.scheduled_at === undefined || body.scheduled_at === null;
  const kind = isBatch ? "batch" : isImmediate ? "immediate" : "scheduled";
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
    const after = { ...given, state: { ...state, messages: [...state.messages, ...added] } };
    const counted = countTowardQuota(after, exchange);
    const findings = [
      equals(isBatch ? ["BATCH-9"] : [], "the number of entries in data", entries.length, messages.length),
      ...added.flatMap((message, index) => entryFindings(after, message, entries[index] ?? {})),
      ...counted.findings,
    ];
    return { state: counted.state, findings };
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
function idsOfContacts({ state: { contacts } }: Given, sent: Json): string[] {
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

function entryFindings(given: Given, message: Message, entry: Json): Comparison[] {
  const { kind, sent, suppressed, dueAt } = message;
  const { must, may } = suppressedOf(sent, given);
  const ids = idsOfKind[kind];
  const isNew = given.state.messages.filter(({ id }) => id === message.id).length === 1;
  const isRight = without(suppressed, must).length === 0 && without(may, suppressed).length === 0;
  const idsOfSuppressed = [ids.suppressed, ...idsOfContacts(given, sent)];
  const listed = expects(idsOfSuppressed, isRight, `suppressed ${format(must)}`, format(entry.suppressed));
  const remaining = without(suppressed, entriesIn(sent.to));
  // Whether those in cc and bcc are listed too is unspecified.
  const listsAll = (to: unknown): boolean =>
    remaining.every((email) => entriesIn<unknown>(to).includes(email)) &&
    entriesIn<string>(to).every((email) => without(suppressed, recipientsOf(sent)).includes(email));
  const to = expects(["SEND-33"], listsAll(entry.to), `to ${format(remaining)}`, format(entry.to));
  const time =
    dueAt === null ? [] : [equals(["SCHED-4"], "scheduled_at", entry.scheduled_at, recordedTime(message))];
  return [
    expects([ids.id], isNew, "a new id", isNew ? "" : format(entry.id)),
    provenIf(must.length > 0, listed, [ids.suppressed]),
    ...(kind === "immediate" ? [to] : []),
    ...time,
  ];
}

/**
 * The recipients that a response must list as suppressed, and those that it may: a bounce or a complaint can stop the sending to a
 * simulated recipient too, and whether an address is suppressed for other accounts is unspecified.
 */
function suppressedOf(message: Json, given: Given) {
  const { suppressed = [] } = given.fixtures;
  const all = recipientsOf(message);
  const stopped = all.filter((email) => suppressed.includes(email));
  // Sending to an address can stop at any time.
  const canStop = (email: string): boolean =>
    isSimulated(email, given) ? !email.startsWith("success@") : given.observed !== undefined;
  return { must: given.account === "full" ? stopped : [], may: [...stopped, ...all.filter(canStop)] };
}

/** Something that makes a body invalid. */
interface Fault {
  ids: readonly string[];
  /** `error.fields` has at least one of these, or something inside it. */
  fields: readonly string[];
  /** The status and the type of the error are unspecified. */
  isOpen?: boolean;
}

/** The error that a request gets for its body. */
export function rejectionsOfBody(given: Given): Allowed[] {
  const faults = given.observed?.isValid === true ? [] : faultsOf(given);
  if (faults.length === 0) return [];
  const ids = [...new Set(faults.flatMap((one) => one.ids))];
  const isOpen = faults.some((one) => one.isOpen);
  const error: Allowed = isOpen ? { ids, status: "4XX" } : rejected(ids, "422.invalid_request");
  // Whether a time in the past is invalid too is unspecified.
  const isPast = timeOf(given.body.scheduled_at) < given.now;
  return [isPast ? error : { ...error, fields: faults.map((one) => one.fields) }];
}

function faultsOf(given: Given): Fault[] {
  const { operation, body } = given;
  if (operation === "sendEmail") return ofMessage(given, body);
  if (operation !== "sendBatch") return ofConstraints(given, body);
  const messages = messagesIn(given);
  const { batchMessagesMinimum: least, batchMessages: most } = limits;
  const isNumber = messages.length >= least && messages.length <= most;
  return [
    ...(isNumber ? [] : [{ ids: ["BATCH-2", "BATCH-3"], fields: ["emails"] }]),
    ...messages.flatMap((message, index) =>
      ofMessage(given, message).map((fault) => ({
        ...fault,
        ids: [...fault.ids, "BATCH-4", "BATCH-7", "BATCH-8"],
        fields: fault.fields.map((field) => `emails.${index}.${field}`),
      })),
    ),
  ];
}

function ofMessage(given: Given, message: Json): Fault[] {
  const { template_id, attachments } = message;
  const { fixtures, observed } = given;
  const isTemplate = template_id === fixtures.template?.id || observed?.isTemplate(String(template_id));
  const isUnknown = template_id !== undefined && isTemplate !== true;
  const isPrivate = entriesIn(attachments).some(({ path }) => /\/\/(10|127|192\.168)\./.test(String(path)));
  return [
    ...ofConstraints(given, message),
    ...(isUnknown ? [{ ids: ["SEND-14"], fields: ["template_id"], isOpen: true }] : []),
    ...(isPrivate ? [{ ids: ["ATT-9"], fields: ["attachments"], isOpen: true }] : []),
  ];
}

/** The schema of a body, or of a message of a batch; undefined if there is none. */
function schemaOf(operation: OperationId, { template_id }: Json): keyof typeof schemas | undefined {
  const kind = template_id === undefined ? "Content" : "Template";
  if (operation === "sendEmail") return `${kind}Send`;
  return operation === "sendBatch" ? `Batch${kind}Message` : (operations[operation].requestBody ?? undefined);
}

/** The constraints of the document that a body violates, or a message of a batch, with their requirements. */
export function violatedBy(operation: OperationId, value: Json) {
  const schema = schemaOf(operation, value);
  return (schema === undefined ? [] : violationsOf(schema, value)).map((one) => ({
    ...one,
    ids: [
      ...requirementsOn(operation === "sendBatch" ? "sendEmail" : operation, one.field, one.keyword),
      ...requirementsOn(operation, `emails.*.${one.field}`, one.keyword),
    ],
  }));
}

/** Constraints that a value violates, and a time that is too far ahead. */
function ofConstraints({ operation, now }: Given, value: Json): Fault[] {
  const { scheduled_at } = value;
  const ofMove = operation === "rescheduleEmail" ? ["SCHED-8"] : [];
  const ofScheduled = operation === "sendEmail" && scheduled_at !== undefined ? ["SCHED-6"] : ofMove;
  const isFar = timeOf(scheduled_at) > now + limits.scheduleAhead * day;
  return [
    ...violatedBy(operation, value).map(({ ids, properties }) => ({
      ids: [...ids, ...ofScheduled],
      fields: properties,
    })),
    ...(isFar ? [{ ids: ["SCHED-2", ...ofMove], fields: ["scheduled_at"] }] : []),
  ];
}
