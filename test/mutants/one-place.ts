// Faults that show in one kind of request, at one place of a list or with one value only.

import { isObject } from "../../lib/objects.ts";
import { race } from "./concurrency.ts";
import {
  idOf,
  isBatch,
  isCancel,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSend,
  stateful,
} from "./email.ts";
import {
  inEntries,
  inList,
  inText,
  inValues,
  mapMemberships,
  onText,
  takesMessage,
} from "./fault-support.ts";
import { authorizationOf } from "./history.ts";
import type { Mutant, MutantRequest } from "./mutant.ts";
import {
  errorResponse,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  objectOf,
  textOf,
} from "./newsletter.ts";
import { isError } from "./requests.ts";
import { isReplay, scopedKey, withoutKey } from "./same-key.ts";

/** Changes the files of single messages. */
const takesFiles = (
  requirement: "ATT-1" | "ATT-3" | "ATT-11",
  title: string,
  change: (file: Json) => Json,
  applies: (request: MutantRequest) => boolean = isSend,
): Mutant =>
  takesMessage(requirement, title, (message, _, request) =>
    applies(request)
      ? inList("attachments", (files) => files.map((file) => (isObject(file) ? change(file) : file)))(message)
      : message,
  );

const withoutPlus = inText("from", (email) => email.replace(/\+[^@]*@/, "@"));

/** Two requests with one key at the same time are both performed. */
const bothPerformed = (
  title: string,
  applies: (request: MutantRequest) => boolean,
  status?: number,
): Mutant =>
  race(
    "IDEM-2",
    title,
    (request) => (applies(request) ? scopedKey(request) : undefined),
    () => {
      const bodies = new Map<string, string>();
      return async (request, next, position) => {
        const [name, body] = [scopedKey(request) ?? "", JSON.stringify(request.body)];
        if (position === 0) bodies.set(name, body);
        if (position === 0 || bodies.get(name) === body) return next(request);
        const response = await next(withoutKey(request));
        return status === undefined ? response : errorResponse(status, "idempotency_conflict");
      };
    },
  );

/** A request that is rejected for the rate limit is performed with the next one that is accepted. */
const performedLater = (what: string, applies: (request: MutantRequest) => boolean): Mutant =>
  stateful("LIMIT-1", `${what} that is rejected for the rate limit is performed later`, () => {
    const later: MutantRequest[] = [];
    return async (request, next) => {
      const response = await next(request);
      if (applies(request) && isError(response, 429, "rate_limited")) later.push(request);
      else if (isSuccess(response))
        for (const one of later.filter((other) => authorizationOf(other) === authorizationOf(request))) {
          later.splice(later.indexOf(one), 1);
          await next(one);
        }
      return response;
    };
  });

/** After an event, the recipients in `bcc` of its message are suppressed. */
const suppressesHidden = (status: string): Mutant =>
  stateful(
    "SEND-34",
    `of a message that ${status}, the recipients in \`bcc\` are suppressed`,
    ({ control }) => {
      const hidden = new Map<string, unknown[]>();
      return async (request, next) => {
        const response = await next(request);
        const { id, status: reached } = objectOf(response.body);
        if (isSend(request) && isSuccess(response) && !isReplay(response))
          hidden.set(textOf(id), listOf(objectOf(request.body).bcc));
        if (!isMessageLookup(request) || reached !== status) return response;
        for (const email of hidden.get(idOf(request)) ?? [])
          await control("POST", "/sandbox/suppress", { email, reason: "hard bounce" });
        hidden.delete(idOf(request));
        return response;
      };
    },
  );

/** Custom fields in the responses to unsubscribes alone. */
const leavesWith = (title: string, from: boolean, change: (value: unknown) => unknown): Mutant =>
  stateful("MEMB-7", title, () => async (request, next) => {
    const response = await next(request);
    if (!isUnsubscribe(request) || "list_id" in objectOf(request.body) !== from) return response;
    return mapMemberships(response, request, inValues("fields", change));
  });

const isBeyond64Bits = ({ body }: MutantRequest): boolean =>
  Math.abs(Number(objectOf(body).list_id ?? 0)) > 9.3e18;
const crashesFor = (requirement: "CONT-7" | "UNSUB-12", what: string, applies: typeof isUpsert): Mutant =>
  stateful(
    requirement,
    `${what} a list id beyond 64 bits ends in a 500`,
    () => (request, next) =>
      applies(request) && isBeyond64Bits(request) ? errorResponse(500, "internal_error") : next(request),
  );

export const onePlaceMutants: Mutant[] = [
  takesMessage(
    "LOOK-5",
    "from the second message of a batch on, a subject ends before a four-byte character",
    (message, index) =>
      index === 0
        ? message
        : inText("subject", (text) => text.replace(/(?<=.)[\u{10000}-\u{10ffff}].*$/u, ""))(message),
  ),
  takesMessage(
    "LOOK-5",
    "blanks that follow each other become one in the subjects of a batch",
    (message, _, request) =>
      isBatch(request)
        ? inText("subject", (text) => text.replace(/(\S) {2,}(?=\S)/g, "$1 "))(message)
        : message,
  ),
  takesMessage("LOOK-6", "a tag value None of a batch becomes empty", (message, _, request) =>
    isBatch(request)
      ? inValues(
          "tags",
          onText((text) => (text === "None" ? "" : text)),
        )(message)
      : message,
  ),
  takesMessage(
    "LOOK-6",
    "after the 50th message of a batch a tag with a combining accent is dropped",
    (message, index) =>
      index < 50
        ? message
        : inEntries("tags", (tags) => tags.filter(([, value]) => !/\p{M}/u.test(String(value))))(message),
  ),
  takesMessage("LOOK-3", "in a batch the sender loses what follows a plus sign", (message, _, request) =>
    isBatch(request) ? withoutPlus(message) : message,
  ),
  takesMessage(
    "LOOK-3",
    "in a single message the sender loses what follows a plus sign",
    (message, _, request) => (isSend(request) ? withoutPlus(message) : message),
  ),
  takesMessage(
    "SEND-17",
    "reply_to loses what follows a plus sign",
    inText("reply_to", (email) => email.replace(/\+[^@]*@/, "@")),
  ),
  takesMessage("SEND-17", "an apostrophe in reply_to of a batch is doubled", (message, _, request) =>
    isBatch(request) ? inText("reply_to", (email) => email.replace("'", "''"))(message) : message,
  ),
  takesFiles(
    "ATT-3",
    "letters beyond ASCII become _ in the name of a file",
    inText("filename", (name) => name.replaceAll(/[^ -~]/g, "_")),
  ),
  takesFiles(
    "ATT-3",
    "the name of a file is decoded as in a URL",
    inText("filename", (name) => name.replaceAll("%41", "A")),
  ),
  takesFiles(
    "ATT-3",
    "the name of a file of a scheduled message ends at a semicolon",
    inText("filename", (name) => name.split(";")[0]),
    isScheduled,
  ),
  takesFiles(
    "ATT-11",
    "a file with text is of type text/plain",
    inText("content_type", (type) => type.replace(/^text\/.*/, "text/plain")),
  ),
  takesFiles(
    "ATT-11",
    "a file of a scheduled message is of the default type",
    ({ content_type: _, ...file }) => file,
    isScheduled,
  ),
  takesMessage(
    "ATT-1",
    "the last of 20 attachments of a scheduled message is dropped",
    (message, _, request) =>
      isScheduled(request)
        ? inList("attachments", (all) => (all.length === 20 ? all.slice(0, 19) : all))(message)
        : message,
  ),
  bothPerformed("two contacts at once with one key and different bodies are both stored", isUpsert),
  bothPerformed("the second of two such contacts is a conflict, but stored", isUpsert, 409),
  bothPerformed("two batches at once with one key and different bodies are both sent", isBatch),
  crashesFor("CONT-7", "an upsert for", isUpsert),
  crashesFor("UNSUB-12", "an unsubscribe from", isUnsubscribe),
  suppressesHidden("bounced"),
  suppressesHidden("complained"),
  performedLater("a cancel", isCancel),
  performedLater("a reschedule", isReschedule),
  performedLater("an unsubscribe", isUnsubscribe),
  leavesWith("a number is a text in the response to an unsubscribe from everything", false, (value) =>
    typeof value === "number" ? String(value) : value,
  ),
  leavesWith("a date is a time in the response to an unsubscribe from one list", true, (value) =>
    /^\d{4}-\d\d-\d\d$/.test(String(value)) ? `${String(value)}T00:00:00Z` : value,
  ),
];
