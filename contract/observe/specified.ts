import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { isNestedWithin, isObject } from "../../lib/objects.ts";
import { listOf } from "../../scripts/document/values.ts";
import type { Fixtures } from "../engine/settings.ts";
import { violatedBy } from "../model/rules/sending.ts";
import { day, type Json } from "../model/state.ts";
import { bodyProperties } from "./places.ts";

/** A minute near the limit of `scheduled_at`: clocks differ. */
const slack = 120_000;
/** Levels of JSON that every server reads. It may reject a body with more as a whole. */
const usualLevels = 20;
/** Null characters and halves of surrogate pairs, which JSON escapes: many databases and files cannot hold them. */
const oddTexts = /\\u(0000|d[89a-f])/;

/**
 * Whether the contract specifies that a body is valid, or that it is invalid. Bodies that a server may accept or reject are not specified.
 * @param isRejected whether the response is an error, for which more reasons are possible than an invalid body
 */
export function isSpecified(
  operation: OperationId,
  body: Json,
  { now, isRejected, fixtures = {} }: { now: number; isRejected: boolean; fixtures?: Fixtures },
): boolean {
  if (!isNestedWithin(body, usualLevels) || oddTexts.test(JSON.stringify(body))) return false;
  if (operation === "sendBatch" && !Array.isArray(body.emails)) return body.emails !== null;
  return (operation === "sendBatch" ? listOf(body.emails) : [body]).every(
    (one) =>
      isObject(one) &&
      isOrdinary(one, isRejected) &&
      isUsualMessage(one, isRejected, fixtures) &&
      isUsualTime(one.scheduled_at, now) &&
      isUsualContact(one, operation) &&
      !(isRejected && hasUnknownProperties(operation, one)) &&
      areBoundsSpecified(operation, one),
  );
}

/** Without null, empty texts and characters beyond ASCII if they matter. */
const isOrdinary = (value: Json, isRejected: boolean): boolean =>
  Object.entries(value).every(([name, one]) => {
    if (isEmpty(one) || listOf(one).includes(null)) return false;
    if (name === "tags" && listOf(one).includes("")) return false;
    if (["from", "reply_to", "email"].includes(name)) return isOrdinaryEmail(one);
    // Whether an error also names an empty list of recipients is unspecified.
    if (name === "to" && Array.isArray(one) && one.length === 0 && isRejected) return false;
    return !["to", "cc", "bcc"].includes(name) || listOf(one).every(isOrdinaryEmail);
  });

const isEmpty = (value: unknown): boolean => value === null || value === "";

/** Whether an object has properties that are null or empty texts. */
const hasEmpty = (value: unknown): boolean => isObject(value) && Object.values(value).some(isEmpty);

/** Whether any server accepts an email address. */
export const isUsualEmail = (text: string): boolean =>
  /^[\w.+-]+@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]{2,}$/i.test(text);

/** An email address that any server accepts, or a text that none does. */
const isOrdinaryEmail = (value: unknown): boolean =>
  typeof value !== "string" ||
  isUsualEmail(value) ||
  !value.includes("@") ||
  /^[\w-]*@$/.test(value) ||
  /^@[\w.]+$/.test(value) ||
  /^[\w ]+<[^<>\s@]+@[^<>\s@]+>$/.test(value);

function isUsualMessage(message: Json, isRejected: boolean, fixtures: Fixtures): boolean {
  const { template_id, headers, attachments } = message;
  const isBoth = template_id !== undefined && ["subject", "html", "text"].some((name) => name in message);
  if (isBoth || (isRejected && template_id !== undefined && !isKnownTemplate(message, fixtures)))
    return false;
  if (isObject(headers) && !Object.entries(headers).every(isUsualHeader)) return false;
  return listOf(attachments).every((one) => !isObject(one) || isUsualAttachment(one, isRejected, fixtures));
}

/** Whether the configuration says that a template exists, and which variables it has. */
function isKnownTemplate({ template_id, variables = {} }: Json, { template }: Fixtures): boolean {
  const names = Object.keys(template?.variables ?? {});
  return template_id === template?.id && isObject(variables) && names.every((name) => name in variables);
}

const isUsualHeader = ([name, value]: [string, unknown]): boolean =>
  typeof value === "string" &&
  value !== "" &&
  (/^X-/.test(name) || !/^(x-|list-unsubscribe)/i.test(name) || /^List-Unsubscribe(-Post)?$/.test(name));

function isUsualAttachment(attachment: Json, isRejected: boolean, { attachmentLink }: Fixtures): boolean {
  const { content, path } = attachment;
  if (hasEmpty(attachment) || (content !== undefined && path !== undefined)) return false;
  const isLink = typeof path === "string" && path.startsWith("https:");
  if (isRejected && isLink && path !== attachmentLink) return false;
  return typeof content !== "string" || !/[\s_-]/.test(content) || /[^\w\s+/=-]/.test(content);
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const withoutOffset = /^\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/;

function isUsualTime(value: unknown, now: number): boolean {
  if (typeof value !== "string" || withoutOffset.test(value) || !/\d{4}/.test(value)) return true;
  const at = Date.parse(value);
  if (!rfc3339.test(value) || Number.isNaN(at)) return false;
  return Math.abs(at - now - limits.scheduleAhead * day) > slack && at > now + slack;
}

function isUsualContact({ list_id, fields, consent }: Json, operation: OperationId): boolean {
  if (typeof list_id === "number" && Number.isInteger(list_id) && (list_id < 1 || list_id >= 2 ** 31))
    return false;
  if (hasEmpty(consent)) return false;
  return operation !== "upsertContact" || !isObject(fields) || Object.values(fields).every(isUsualValue);
}

function isUsualValue(value: unknown): boolean {
  if (value === null || typeof value === "number") return true;
  if (typeof value !== "string" || value === "") return false;
  if (/^\d{4}-\d\d-\d\d/.test(value)) return !Number.isNaN(Date.parse(value));
  return !value.includes("://") || /^https?:\/\//.test(value);
}

/** Whether every constraint that a body violates is one of the contract, not a technical limit. */
function areBoundsSpecified(operation: OperationId, body: Json): boolean {
  const violations = violatedBy(operation, body);
  const isOfContract = ({ ids, keyword }: (typeof violations)[number]): boolean =>
    ids.some((id) => id !== "ERR-10" && id !== "BATCH-4") || ["type", "required", "format"].includes(keyword);
  // A technical limit beside it changes nothing.
  return violations.length === 0 || violations.some(isOfContract);
}

function hasUnknownProperties(operation: OperationId, body: Json): boolean {
  // What a message of a batch must not have, such as attachments, is known from a send.
  const known = bodyProperties.get(operation === "sendBatch" ? "sendEmail" : operation);
  return known !== undefined && Object.keys(body).some((name) => !known.has(name));
}
