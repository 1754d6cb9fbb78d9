import { limits } from "../../../../generated/limits.ts";
import { operations } from "../../../../generated/operations.ts";
import { schemas, type ValidationError } from "../../../../generated/validators/requests.js";
import { requirementsOn } from "../../bounds/body-requirements.ts";
import { type Allowed, rejected } from "../allowed.ts";
import { day, entriesIn, type Given, type Json, timeOf } from "../world.ts";
import { messagesIn } from "./recipients.ts";

/** A value that a request must not have. */
interface Violation {
  ids: readonly string[];
  /** `error.fields` has at least one of these, or something inside it. */
  fields: readonly string[];
  /** The status and the type of the error are unspecified. */
  isOpen?: boolean;
}

/** The error that a request gets for its body. */
export function rejectionsOfBody(given: Given): Allowed[] {
  const violations = violationsOf(given);
  if (violations.length === 0) return [];
  const ids = [...new Set(violations.flatMap((one) => one.ids))];
  // Whether a time in the past is invalid too is unspecified.
  const isPast = timeOf(given.body.scheduled_at) < given.now;
  const isOpen = violations.some((one) => one.isOpen);
  const error: Allowed = isOpen ? { ids, status: "4XX" } : rejected(ids, "422.invalid_request");
  return [isPast ? error : { ...error, fields: violations.map((one) => one.fields) }];
}

function violationsOf(given: Given): Violation[] {
  const { operation, body } = given;
  const { requestBody } = operations[operation];
  if (operation === "sendEmail") return ofMessage(given, body);
  if (operation !== "sendBatch")
    return requestBody === null ? [] : [...ofSchema(given, requestBody, body), ...ofTime(given, body)];
  const messages = messagesIn(given);
  const { batchMessagesMinimum: least, batchMessages: most } = limits;
  const isNumber = messages.length >= least && messages.length <= most;
  return [
    ...(isNumber ? [] : [{ ids: ["BATCH-2", "BATCH-3"], fields: ["emails"] }]),
    ...messages.flatMap((message, index) =>
      ofMessage(given, message).map(({ ids, fields, ...rest }) => ({
        ...rest,
        ids: [...ids, "BATCH-4", "BATCH-7", "BATCH-8"],
        fields: fields.map((field) => `emails.${index}.${field}`),
      })),
    ),
  ];
}

function ofMessage(given: Given, message: Json): Violation[] {
  const { template_id, attachments } = message;
  const kind = template_id === undefined ? "Content" : "Template";
  const isUnknown = template_id !== undefined && template_id !== given.fixtures.template?.id;
  const isPrivate = entriesIn(attachments).some(({ path }) => /\/\/(10|127|192)\./.test(String(path)));
  return [
    ...ofSchema(given, given.operation === "sendBatch" ? `Batch${kind}Message` : `${kind}Send`, message),
    ...ofTime(given, message),
    ...(isUnknown ? [{ ids: ["SEND-14"], fields: ["template_id"], isOpen: true }] : []),
    ...(isPrivate ? [{ ids: ["ATT-9"], fields: ["attachments"], isOpen: true }] : []),
  ];
}

/** A time that is too far ahead. */
function ofTime({ now, operation }: Given, { scheduled_at }: Json): Violation[] {
  const isFar = timeOf(scheduled_at) > now + limits.scheduleAhead * day;
  const ids = ["SCHED-2", ...(operation === "rescheduleEmail" ? ["SCHED-8"] : [])];
  return isFar ? [{ ids, fields: ["scheduled_at"] }] : [];
}

/** What a message without a template can lack. */
const content = ["html", "text", "template_id"];
/** The properties that a message of a batch must not have. */
const onlySingle = ["attachments", "scheduled_at"];

/** The violations of constraints of the document. */
function ofSchema({ operation }: Given, name: keyof typeof schemas, value: Json): Violation[] {
  const errors = schemas[name](value) ? [] : (schemas[name].errors ?? []);
  return errors
    .filter((error) => isOwn(value, error))
    .map(({ instancePath, keyword, params }) => {
      const [, top = "", entry, inner] = instancePath.split("/");
      const { missingProperty } = params;
      const path = [top, top === "consent" ? entry : entry && "*", inner, missingProperty]
        .filter(Boolean)
        .map(String);
      const [first = keyword === "if" ? content : onlySingle.filter((one) => one in value)] = path;
      const field = keyword === "not" && top === "" ? String(first[0]) : path.join(".");
      return {
        ids: [
          ...requirementsOn(operation === "sendBatch" ? "sendEmail" : operation, field, keyword),
          ...requirementsOn(operation, `emails.*.${field}`, keyword),
          ...(value.scheduled_at === undefined || operation !== "sendEmail" ? [] : ["SCHED-6"]),
          ...(operation === "rescheduleEmail" ? ["SCHED-8"] : []),
        ],
        fields: [first].flat(),
      };
    });
}

/** Whether an error is not about an alternative that the value does not use. */
function isOwn({ attachments }: Json, error: ValidationError): boolean {
  const { instancePath, keyword, params, schemaPath } = error;
  const index = /^\/attachments\/(\d+)$/.exec(instancePath)?.[1];
  if (keyword === "oneOf" || schemaPath.startsWith("#/then/")) return false;
  if (index === undefined || params.missingProperty === "filename") return true;
  const attachment = entriesIn(attachments)[Number(index)] ?? {};
  return keyword === "required" && (attachment.content ?? attachment.path) === undefined;
}
