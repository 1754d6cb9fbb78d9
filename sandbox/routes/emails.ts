import { headers } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import { tooLarge } from "../api/body.ts";
import type { Download, Handler, RequestContext, Services, Success } from "../api/context.ts";
import {
  type ErrorOf,
  ErrorResponse,
  errorResponse,
  invalidField,
  invalidFields,
} from "../api/error-response.ts";
import type { FieldError } from "../api/field-errors.ts";
import { replay } from "../api/idempotency.ts";
import { everyone } from "../domain/due.ts";
import type { Message } from "../domain/records.ts";
import {
  type Draft,
  largestMessage,
  messageSize,
  newMessage,
  type SplitRecipients,
  senderError,
  splitRecipients,
} from "../domain/sending.ts";
import type { Decision } from "../domain/store.ts";
import { writeTime } from "../domain/times.ts";
import { fetchLinks } from "../mail/link.ts";
import { batched, draftOf, single } from "./draft.ts";

/** POST /api/v1/emails: sends or schedules a message. */
export const sendEmail: Handler<"sendEmail"> = async (context, services) => {
  const body = context.body as Record<string, unknown>;
  // The size comes first, since validating megabytes is slow. Only a large body can hold a large message.
  if (context.bytes > largestMessage && messageSize(body) > largestMessage) return tooLarge;
  const draft = draftOf(body, single, context, services);
  if (!("recipients" in draft)) return invalidFields(draft);
  const { ids, download } = services;
  const error =
    checkSending(draft, context, services, "") ?? (download && (await fetchFiles(draft, download)));
  if (error !== undefined) return error;
  return await accept(context, services, [draft], {
    idOf: ({ scheduledAt }) => (scheduledAt === null ? ids.message(context.now) : ids.scheduled(context.now)),
    render([accepted]) {
      const { message, suppressed = [] } = accepted ?? {};
      const { id, scheduledAt = null, to } = message ?? {};
      return scheduledAt === null
        ? { id, to, suppressed }
        : { id, scheduled_at: writeTime(scheduledAt), suppressed };
    },
  });
};

/** POST /api/v1/emails/batch: accepts all messages or none, in their order. */
export const sendBatch: Handler<"sendBatch"> = async (context, services) => {
  const emails = emailsOf(context.body as Record<string, unknown>);
  if (emails instanceof ErrorResponse) return emails;
  if (context.bytes > largestMessage && emails.some(isTooLarge)) return tooLarge;
  const drafts = draftsOf(emails, context, services);
  if (drafts instanceof ErrorResponse) return drafts;
  for (const [index, draft] of drafts.entries()) {
    const error = checkSending(draft, context, services, `emails.${index}: `);
    if (error !== undefined) return error;
  }
  return accept(context, services, drafts, {
    idOf: () => services.ids.scheduled(context.now),
    render: (accepted) => ({
      data: accepted.map(({ message, suppressed }) => ({ id: message.id, suppressed })),
    }),
    labelOf: (index) => `emails.${index}: `,
  });
};

const isTooLarge = (message: unknown): boolean => isObject(message) && messageSize(message) > largestMessage;

function emailsOf({ emails }: Record<string, unknown>): unknown[] | ErrorResponse<"422.invalid_request"> {
  const { batchMessages, batchMessagesMinimum } = limits;
  if (emails === undefined) return invalidField("emails", "Is required.");
  if (!Array.isArray(emails)) return invalidField("emails", "Must be a list.");
  if (emails.length < batchMessagesMinimum)
    return invalidField("emails", `Must have at least ${batchMessagesMinimum} entry.`);
  if (emails.length > batchMessages)
    return invalidField("emails", `Must not have more than ${batchMessages} entries.`);
  return emails;
}

/** Validates all messages and reports all their errors. */
function draftsOf(emails: readonly unknown[], context: RequestContext, services: Services) {
  const drafts: Draft[] = [];
  const fieldErrors: FieldError[] = [];
  for (const [index, email] of emails.entries()) {
    const draft = draftOf(email, batched, context, services, `emails.${index}.`);
    if ("recipients" in draft) drafts.push(draft);
    else for (const error of draft) fieldErrors.push(error);
  }
  return fieldErrors.length > 0 ? invalidFields(fieldErrors) : drafts;
}

/** The rows of the error table that both sends can return. */
export type SendError = ErrorOf<"sendEmail"> & ErrorOf<"sendBatch">;

/** Seconds until a retry at the sending ceiling. When it is lifted is unspecified. */
const ceilingWait = { [headers.OptionalRetryAfter.name]: "3600" };

/**
 * Rejects a message that is too large, or that this key and account must not send.
 * @param label names the message in a batch: `emails.2: `
 */
function checkSending(
  draft: Draft,
  { account, key }: RequestContext,
  { directory }: Services,
  label: string,
): ErrorResponse<SendError> | undefined {
  if (messageSize(draft.content) > largestMessage) return tooLarge;
  const error = senderError(draft.from, key, account, directory.domains(account.id));
  if (error === undefined) return undefined;
  const sent = error.id === "429.send_rejected" ? ceilingWait : null;
  return errorResponse(error.id, label + error.message, sent);
}

/** Downloads the linked attachments of a message, and replaces the links by the files. */
async function fetchFiles({ content }: Draft, download: Download) {
  if (!content.attachments.some((attachment) => "path" in attachment)) return undefined;
  const fetched = await fetchLinks(content.attachments, download, largestMessage - messageSize(content));
  if ("attachments" in fetched) {
    content.attachments = fetched.attachments;
    return undefined;
  }
  return fetched.tooLarge ? tooLarge : invalidFields(Object.entries(fetched.problems));
}

/** How the messages of a request are accepted. */
interface AcceptOptions {
  idOf(draft: Draft): string;
  /** The body of the response to the accepted messages, each with the recipients that it was not sent to. */
  render(accepted: readonly { message: Message; suppressed: string[] }[]): object;
  /** Names a message in a batch: `emails.2: `. */
  labelOf?(index: number): string;
}

/** Stores all messages or none, once per idempotency key, and sends them. The response is 202; for a batch, which 2xx it is is unspecified. */
async function accept(
  context: RequestContext,
  services: Services,
  drafts: readonly Draft[],
  options: AcceptOptions,
): Promise<Success | ErrorResponse<SendError>> {
  const { account, now, idempotency } = context;
  const { store, outbound } = services;
  let messages: readonly Message[] = [];
  const outcome = await store.accept({
    accountId: account.id,
    now,
    recipients: drafts.flatMap(({ recipients }) => everyone(recipients).map((one) => one.toLowerCase())),
    idempotency,
    decide(suppressed) {
      const decision = decide(drafts, suppressed, context, services, options);
      messages = "messages" in decision ? decision.messages : [];
      return decision;
    },
  });
  if ("replay" in outcome) return replay(outcome.replay, idempotency, await store.used(account.id, now));
  if ("response" in outcome) {
    outbound.send(messages);
    return { status: outcome.response.status, body: outcome.response.body, used: outcome.used };
  }
  if (outcome.error instanceof ErrorResponse) return outcome.error;
  throw new Error("The store rejected messages without an error response.");
}

function decide(
  drafts: readonly Draft[],
  suppressed: ReadonlySet<string>,
  { account, now }: RequestContext,
  { mailRules }: Services,
  { idOf, render, labelOf = () => "" }: AcceptOptions,
): Decision {
  const splits = drafts.map(({ recipients }) => splitRecipients(recipients, suppressed));
  const empty = splits.findIndex((split) => everyone(split).length === 0);
  if (empty >= 0)
    return {
      error: errorResponse("422.send_rejected", `${labelOf(empty)}Sending to every recipient has stopped.`),
    };
  let counted = 0;
  const accepted = drafts.map((draft, index) => {
    const recipients = splits[index] as SplitRecipients;
    // A scheduled message counts once it is sent.
    if (draft.scheduledAt === null) counted += everyone(recipients).length;
    const message = newMessage(draft, { id: idOf(draft), accountId: account.id, now, recipients }, mailRules);
    return { message, suppressed: recipients.suppressed };
  });
  return {
    messages: accepted.map(({ message }) => message),
    counted,
    response: { status: 202, body: JSON.stringify(render(accepted)) },
  };
}
