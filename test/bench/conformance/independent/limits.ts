import { limits } from "../../../../generated/limits.ts";
import { changeBatchEntries, isBatch, isSend, messagesIn } from "../../../mutants/email.ts";
import {
  cutBytes,
  inEntries,
  inList,
  inText,
  keyOf,
  mapMessages,
  showsContact,
  showsMembership,
  takesMessage,
} from "../../../mutants/fault-support.ts";
import { takes } from "../../../mutants/mutant.ts";
import { isSuccess, isUpsert, listOf } from "../../../mutants/newsletter.ts";
import { type IndependentFault, madeUp, miscounts } from "./fault.ts";

/** The size of a column that does not fit the limit of the document. */
const shortColumn = 255;
const textColumn = 65_535;
const chunk = 50;
const longestLine = /[^\r\n]{998}/g;

/** What a server cuts, counts or chunks goes wrong at a size. */
export const limitFaults: IndependentFault[] = madeUp(
  changeBatchEntries(
    "BATCH-10",
    "the 71st and the 72nd entry of the response to a batch are exchanged",
    (entries) =>
      entries.length > 71 ? entries.toSpliced(70, 2, ...entries.slice(70, 72).reverse()) : entries,
  ),
  changeBatchEntries(
    "BATCH-12",
    "from the 51st message on, suppressed is that of the message 50 places before",
    (entries) =>
      entries.map((entry, index) => {
        const { suppressed } = entries[index - chunk] ?? entry;
        return { ...entry, suppressed };
      }),
  ),
  takesMessage("LOOK-5", "the subject of a scheduled message is cut after 255 characters", (message) =>
    "scheduled_at" in message
      ? inText("subject", (subject) =>
          [...subject].length > limits.subjectLength ? subject : [...subject].slice(0, shortColumn).join(""),
        )(message)
      : message,
  ),
  takesMessage("SEND-24", "the tenth extra header is dropped if the message has reply_to", (message) =>
    message.reply_to === undefined
      ? message
      : inEntries("headers", (headers) =>
          headers.length === limits.extraHeaders ? headers.slice(0, -1) : headers,
        )(message),
  ),
  takesMessage(
    "SEND-11",
    "lines of the HTML body beyond 998 characters are broken",
    inText("html", (html) => html.replaceAll(longestLine, "$&!\r\n ")),
  ),
  takesMessage(
    "SEND-11",
    "the HTML body of a single send is cut after 65,535 bytes",
    (message, _, request) =>
      isSend(request) ? inText("html", (html) => cutBytes(html, textColumn))(message) : message,
  ),
  takesMessage("SEND-19", "the 50th recipient in bcc gets no message", (message, _, request) =>
    isSend(request)
      ? inList("bcc", (bcc) => (bcc.length === limits.recipientsPerField ? bcc.slice(0, -1) : bcc))(message)
      : message,
  ),
  takes("SEND-9", "the subject of a batch message is measured in UTF-16 units", (request) =>
    isBatch(request)
      ? mapMessages(
          request,
          inText("subject", (subject) =>
            subject.length > limits.subjectLength ? "x".repeat(limits.subjectLength + 1) : subject,
          ),
        )
      : undefined,
  ),
  takes("IDEM-4", "the idempotency key of a contact is cut after 255 characters", (request) => {
    const key = keyOf(request);
    return isUpsert(request) && key?.length === limits.idempotencyKeyLength
      ? { ...request, headers: { ...request.headers, "idempotency-key": key.slice(0, shortColumn) } }
      : undefined;
  }),
  miscounts("LIMIT-5", "recipients in bcc of a batch do not count", (request, response) =>
    isBatch(request) && isSuccess(response)
      ? messagesIn(request.body).flatMap(({ bcc }) => listOf(bcc)).length
      : 0,
  ),
  showsMembership(
    "CONT-16",
    "a contact keeps its latest 30 tags only",
    inList("tags", (tags) => tags.slice(-30)),
  ),
  showsMembership(
    "MEMB-7",
    "a membership shows 20 custom fields at most",
    inEntries("fields", (fields) => fields.slice(0, limits.contactFields)),
  ),
  showsContact(
    "CONT-25",
    "a contact shows two lists at most",
    inList("lists", (lists) => lists.slice(0, 2)),
  ),
);
