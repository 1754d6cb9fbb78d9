import { limits } from "../../../../generated/limits.ts";
import { isObject } from "../../../../lib/objects.ts";
import { isBatch, isReschedule, messagesIn, timeOf } from "../../../mutants/email.ts";
import {
  inEntries,
  inList,
  inText,
  inValues,
  mapMessages,
  onText,
  takesContact,
  takesMessage,
  withBody,
  without,
} from "../../../mutants/fault-support.ts";
import { iso, withPast } from "../../../mutants/history.ts";
import { shows, takes } from "../../../mutants/mutant.ts";
import {
  changeUpserts,
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUpsert,
  type Json,
  listOf,
  objectOf,
  textOf,
} from "../../../mutants/newsletter.ts";
import { withFields } from "../../../mutants/requests.ts";
import { type IndependentFault, madeUp, reported } from "./fault.ts";

const minute = 60_000;

const hasValidCopies = ({ cc }: Json): boolean =>
  Array.isArray(cc) && cc.length <= limits.recipientsPerField && cc.every((one) => typeof one === "string");

/** Whether a message has extra headers that must be accepted. */
const hasValidHeaders = ({ headers }: Json): boolean =>
  isObject(headers) &&
  Object.keys(headers).length <= limits.extraHeaders &&
  Object.entries(headers).every(
    ([name, value]) => name.startsWith("X-") && typeof value === "string" && !/[\r\n]/.test(value),
  );

/** What a message says is changed or lost on its way. */
export const contentFaults: IndependentFault[] = [
  reported(
    "PHPMailer/PHPMailer#1853",
    takesMessage(
      "SEND-24",
      "spaces in the value of an extra header become underscores",
      inValues(
        "headers",
        onText((value) => value.replaceAll(" ", "_")),
      ),
    ),
  ),
  reported(
    "sendgrid/sendgrid-php#108",
    takesMessage("SEND-18", "a message with an attachment is not sent to cc", (message) =>
      listOf(message.attachments).length > 0 && hasValidCopies(message) ? without(message, "cc") : message,
    ),
  ),
  ...madeUp(
    takesMessage(
      "LOOK-5",
      "an encoded word in a subject is shown without its marks",
      inText("subject", (subject) => subject.replaceAll(/=\?[\w-]+\?[qb]\?([^?]*)\?=/gi, "$1") || "-"),
    ),
    changeUpserts(
      "MEMB-6",
      "the response to an update has the apostrophe of a last name as a reference of HTML",
      (response, membership) =>
        response.status === 200
          ? { ...response, body: inText("last_name", (name) => name.replaceAll("'", "&#39;"))(membership) }
          : undefined,
    ),
    takesMessage(
      "LOOK-6",
      "a tag value of digits loses its leading zeros",
      inValues(
        "tags",
        onText((value) => (/^0\d+$/.test(value) ? String(BigInt(value)) : value)),
      ),
    ),
    takesMessage(
      "LOOK-6",
      "a dot in the name of a tag of a batch message becomes an underscore",
      (message, _, request) =>
        isBatch(request)
          ? inEntries("tags", (tags) => tags.map(([name, value]) => [name.replaceAll(".", "_"), value]))(
              message,
            )
          : message,
    ),
    shows("CONT-23", "a contact whose address has an apostrophe is not found", (response, request) =>
      isContactLookup(request) && isSuccess(response) && emailOf(request).includes("'")
        ? errorResponse(404, "not_found")
        : undefined,
    ),
    takesMessage(
      "SEND-16",
      "in a template variable $$ becomes $, and $& is lost",
      inValues(
        "variables",
        onText((value) => value.replaceAll("$$", () => "$").replaceAll("$&", "")),
      ),
    ),
    takesContact(
      "CONT-16",
      "a contact tag with a comma becomes several tags",
      inList("tags", (tags) =>
        tags.flatMap((tag) =>
          typeof tag === "string" && tag.includes(",") ? tag.split(",").filter((part) => part !== "") : [tag],
        ),
      ),
    ),
    takesMessage("SEND-18", "a message with a template is not sent to cc", (message) =>
      typeof message.template_id === "string" && hasValidCopies(message) ? without(message, "cc") : message,
    ),
    takesMessage("SEND-24", "the extra headers of a scheduled message are dropped", (message) =>
      "scheduled_at" in message && hasValidHeaders(message) ? without(message, "headers") : message,
    ),
    takes("SEND-11", "the HTML body of all messages of a batch is that of the first", (request) => {
      const [first] = messagesIn(request.body);
      const { html } = objectOf(first);
      return isBatch(request) && typeof html === "string"
        ? mapMessages(request, (message) =>
            typeof message.html === "string" ? { ...message, html } : message,
          )
        : undefined;
    }),
    withPast(
      "MEMB-6",
      "an update cuts the last name before a character beyond the basic plane",
      (request, next, { history }) => {
        const isUpdate = isUpsert(request) && history.memberOf(request) !== undefined;
        const cut = inText("last_name", (name) => name.replace(/[\u{10000}-\u{10ffff}].*$/su, ""));
        return next(isUpdate ? withBody(request, cut) : request);
      },
    ),
    takes(
      "SCHED-9",
      "the minutes of a negative offset are added to the time of a rescheduling",
      (request) => {
        const { scheduled_at: time } = objectOf(request.body);
        const minutes = Number(/T.*-\d\d:(\d\d)$/.exec(textOf(time))?.[1] ?? 0);
        const taken = timeOf(time) - 2 * minutes * minute;
        return isReschedule(request) && minutes > 0 && !Number.isNaN(taken)
          ? withFields(request, { scheduled_at: iso(taken) })
          : undefined;
      },
    ),
    takesMessage(
      "ATT-1",
      "of attachments with the same file name only the last is sent",
      inList("attachments", (attachments) =>
        attachments.length > limits.attachments || !attachments.every(isObject)
          ? attachments
          : [...new Map(attachments.map((one, index) => [one.filename ?? index, one])).values()],
      ),
    ),
    takesMessage(
      "SEND-24",
      "List-Unsubscribe keeps its first URI only",
      inEntries("headers", (headers) =>
        headers.map(([name, value]) => [
          name,
          name === "List-Unsubscribe" ? onText((uris) => uris.replace(/>,.*$/, ">"))(value) : value,
        ]),
      ),
    ),
  ),
];
