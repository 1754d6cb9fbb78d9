import { limits } from "../../../../generated/limits.ts";
import { schemas, type ValidationError } from "../../../../generated/validators/requests.js";
import { requirementsOn } from "../../bounds/body-requirements.ts";
import { type Allowed, invalid } from "../allowed.ts";
import type { Context, Json, ModelRequest } from "../world.ts";
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
export function rejectionsOfBody(request: ModelRequest, context: Context): Allowed[] {
  const violations = violationsOf(request, context);
  if (violations.length === 0) return [];
  const ids = [...new Set(violations.flatMap((one) => one.ids))];
  const fields = violations.map((one) => one.fields);
  const error: Allowed = violations.some((one) => one.isOpen)
    ? { ids, status: "4XX", fields }
    : invalid(ids, ...fields);
  // Whether a time in the past is invalid too is unspecified.
  const isPast = Date.parse(String(request.body?.scheduled_at)) < context.now;
  const { fields: _, ...withoutFields } = error;
  return [isPast ? withoutFields : error];
}

function violationsOf(request: ModelRequest, context: Context): Violation[] {
  const { operation, body = {} } = request;
  if (operation === "rescheduleEmail")
    return [...ofSchema(request, "RescheduleRequest", body), ...ofTime(body, context)];
  if (operation === "upsertContact") return ofSchema(request, "ContactRequest", body);
  if (operation === "unsubscribeContact") return ofSchema(request, "UnsubscribeRequest", body);
  const isBatch = operation === "sendBatch";
  const messages = messagesIn(request);
  return [
    ...(isBatch && (messages.length > limits.batchMessages || messages.length < limits.batchMessagesMinimum)
      ? [{ ids: ["BATCH-2", "BATCH-3"], fields: ["emails"] }]
      : []),
    ...messages.flatMap((message, index) => {
      const kind = message.template_id === undefined ? "Content" : "Template";
      const found = [
        ...ofSchema(request, isBatch ? `Batch${kind}Message` : `${kind}Send`, message),
        ...(isBatch ? [] : [...ofTime(message, context)]),
        ...ofReferences(message, context),
      ];
      const inBatch = ({ ids, fields, ...rest }: Violation): Violation => ({
        ...rest,
        ids: [...ids, "BATCH-4", "BATCH-7", "BATCH-8"],
        fields: fields.map((field) => `emails.${index}.${field}`),
      });
      return isBatch ? found.map(inBatch) : found;
    }),
  ];
}

/** What a message without a template can lack. */
const content = ["html", "text", "template_id"];
/** The properties that a message of a batch must not have. */
const onlySingle = ["attachments", "scheduled_at"];

/** The violations of constraints of the document. */
function ofSchema({ operation }: ModelRequest, name: keyof typeof schemas, value: Json): Violation[] {
  const errors = schemas[name](value) ? [] : (schemas[name].errors ?? []);
  return errors.filter(isOwn(value)).map(({ instancePath, keyword, params }): Violation => {
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
        ...(value.scheduled_at === undefined ? [] : ["SCHED-6", "SCHED-8"]),
      ],
      fields: [first].flat(),
    };
  });
}

/** Whether an error is not about an alternative that the value does not use. */
const isOwn =
  ({ attachments = [] }: Json) =>
  ({ instancePath, keyword, params, schemaPath }: ValidationError): boolean => {
    const index = /^\/attachments\/(\d+)$/.exec(instancePath)?.[1];
    if (keyword === "oneOf" || schemaPath.startsWith("#/then/")) return false;
    if (index === undefined || params.missingProperty === "filename") return true;
    const attachment = (attachments as Json[])[Number(index)] ?? {};
    return keyword === "required" && (attachment.content ?? attachment.path) === undefined;
  };

const day = 24 * 3_600_000;

/** A time that is too far ahead. */
function ofTime({ scheduled_at: at }: Json, { now }: Context): Violation[] {
  const isFar = Date.parse(String(at)) > now + limits.scheduleAhead * day;
  return isFar ? [{ ids: ["SCHED-2", "SCHED-8"], fields: ["scheduled_at"] }] : [];
}

/** Unknown templates, and links into private networks. */
function ofReferences({ template_id, attachments = [] }: Json, { fixtures }: Context): Violation[] {
  const isUnknown = template_id !== undefined && template_id !== fixtures.template?.id;
  const isPrivate = (attachments as Json[]).some(({ path }) => /\/\/(10|127|192)\./.test(String(path)));
  return [
    ...(isUnknown ? [{ ids: ["SEND-14"], fields: ["template_id"], isOpen: true }] : []),
    ...(isPrivate ? [{ ids: ["ATT-9"], fields: ["attachments"], isOpen: true }] : []),
  ];
}
