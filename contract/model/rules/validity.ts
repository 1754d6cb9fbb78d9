import { limits } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import type { schemas } from "../../../generated/validators/requests.js";
import { requirementsOn } from "../../bounds/body-requirements.ts";
import { violationsOf } from "../../bounds/violations.ts";
import { type Allowed, rejected } from "../allowed.ts";
import { day, entriesIn, type Given, type Json, timeOf } from "../world.ts";
import { messagesIn } from "./recipients.ts";

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
  const { requestBody } = operations[operation];
  if (operation === "sendEmail") return ofMessage(given, body);
  if (operation !== "sendBatch") return requestBody === null ? [] : ofConstraints(given, requestBody, body);
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

const isTemplate = ({ fixtures, observed }: Given, id: unknown): boolean =>
  id === fixtures.template?.id || observed?.isTemplate(String(id)) === true;

function ofMessage(given: Given, message: Json): Fault[] {
  const { template_id, attachments } = message;
  const kind = template_id === undefined ? "Content" : "Template";
  const isUnknown = template_id !== undefined && !isTemplate(given, template_id);
  const isPrivate = entriesIn(attachments).some(({ path }) => /\/\/(10|127|192\.168)\./.test(String(path)));
  return [
    ...ofConstraints(given, given.operation === "sendBatch" ? `Batch${kind}Message` : `${kind}Send`, message),
    ...(isUnknown ? [{ ids: ["SEND-14"], fields: ["template_id"], isOpen: true }] : []),
    ...(isPrivate ? [{ ids: ["ATT-9"], fields: ["attachments"], isOpen: true }] : []),
  ];
}

/** Constraints of the document that a value violates, and a time that is too far ahead. */
function ofConstraints({ operation, now }: Given, name: keyof typeof schemas, value: Json): Fault[] {
  const { scheduled_at } = value;
  const ofMove = operation === "rescheduleEmail" ? ["SCHED-8"] : [];
  const ofScheduled = operation === "sendEmail" && scheduled_at !== undefined ? ["SCHED-6"] : ofMove;
  const isFar = timeOf(scheduled_at) > now + limits.scheduleAhead * day;
  return [
    ...violationsOf(name, value).map(({ field, keyword, properties }) => ({
      ids: [
        ...requirementsOn(operation === "sendBatch" ? "sendEmail" : operation, field, keyword),
        ...requirementsOn(operation, `emails.*.${field}`, keyword),
        ...ofScheduled,
      ],
      fields: properties,
    })),
    ...(isFar ? [{ ids: ["SCHED-2", ...ofMove], fields: ["scheduled_at"] }] : []),
  ];
}
