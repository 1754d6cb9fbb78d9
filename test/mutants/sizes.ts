// The largest batches, fields and bodies.

import { isObject } from "../../lib/objects.ts";
import { idOf, isBatch, isMessageLookup, isSend, stateful } from "./email.ts";
import {
  inEntries,
  inList,
  inText,
  inValues,
  keyed,
  keyOf,
  mapValues,
  onText,
  recipientsIn,
  showsMembership,
  showsMessage,
  takesContact,
  takesMessage,
  withBody,
  withHeader,
  without,
} from "./fault-support.ts";
import { authorizationOf } from "./history.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  remembers,
  shows,
  takes,
} from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf, textOf } from "./newsletter.ts";
import { sentMessages, withFields } from "./requests.ts";
import { isReplay } from "./same-key.ts";

const cutTo =
  (length: number) =>
  (text: string): string =>
    [...text].slice(0, length).join("");

/** Changes the messages of a batch on their way in, as a whole. */
const takesBatch = (
  requirement: RequirementId,
  title: string,
  change: (messages: Json[]) => unknown[],
): Mutant =>
  takes(requirement, title, (request) =>
    isBatch(request) &&
    Array.isArray(objectOf(request.body).emails) &&
    listOf(objectOf(request.body).emails).every(isObject)
      ? withBody(request, (body) => ({ ...body, emails: change(listOf(body.emails) as Json[]) }))
      : request,
  );

/** Changes the bodies of successful responses. */
const showsIn = (
  requirement: RequirementId,
  title: string,
  applies: (request: MutantRequest, response: MutantResponse) => boolean,
  change: (body: Json) => Json,
): Mutant =>
  shows(requirement, title, (response, request) =>
    isSuccess(response) && applies(request, response)
      ? { ...response, body: change(objectOf(response.body)) }
      : response,
  );

/** Changes the entries in the response to a batch. */
const showsBatch = (
  requirement: RequirementId,
  title: string,
  change: (entries: Json[]) => unknown[],
): Mutant =>
  showsIn(
    requirement,
    title,
    isBatch,
    inList("data", (entries) => change(entries.map(objectOf))),
  );

/** Changes the records of messages by their place in a batch. */
const showsByPlace = (
  requirement: RequirementId,
  title: string,
  change: (record: Json, index: number, batch: Json[]) => Json,
): Mutant =>
  remembers(requirement, title, () => {
    const places = new Map<string, { index: number; batch: Json[] }>();
    return (response, request) => {
      if (isBatch(request) && isSuccess(response))
        for (const [index, entry] of listOf(objectOf(response.body).data).entries())
          places.set(textOf(objectOf(entry).id), { index, batch: sentMessages(request) });
      const place = isMessageLookup(request) && isSuccess(response) ? places.get(idOf(request)) : undefined;
      return place === undefined
        ? response
        : { ...response, body: change(objectOf(response.body), place.index, place.batch) };
    };
  });

/** Counts other recipients than those that were sent to. */
const counts = (title: string, extra: (request: MutantRequest) => number): Mutant =>
  remembers("LIMIT-5", title, () => {
    const totals = new Map<string, number>();
    return (response, request) => {
      const { "x-service-monthly-remaining": remaining, "x-service-monthly-quota": quota } = response.headers;
      if (remaining === undefined || !isSuccess(response)) return response;
      if (!isReplay(response))
        totals.set(authorizationOf(request), (totals.get(authorizationOf(request)) ?? 0) + extra(request));
      const shown = Number(remaining) + (totals.get(authorizationOf(request)) ?? 0);
      return withHeader(
        response,
        "x-service-monthly-remaining",
        String(Math.max(0, Math.min(Number(quota), shown))),
      );
    };
  });

const size = (body: unknown): number => Buffer.byteLength(JSON.stringify(body) ?? "");
const attachmentsOf = (request: MutantRequest): Json[] =>
  isSend(request) ? listOf(objectOf(request.body).attachments).filter(isObject) : [];

export const sizeMutants: Mutant[] = [
  // Source: odoo/odoo#75389 (each mailing used the recipients of another one)
  takesBatch("LOOK-4", "message 97 of a batch of 100 has the recipients of message 96", (messages) =>
    messages.length < 97
      ? messages
      : messages.with(96, { ...objectOf(messages[96]), to: objectOf(messages[95]).to }),
  ),
  // Source: from experience (a column of 8 kB)
  takesBatch("LOOK-6", "a batch message with more than 8 kB of tags has none", (messages) =>
    messages.map((one) =>
      Buffer.byteLength(JSON.stringify(one.tags ?? {})) > 8_192 ? { ...one, tags: {} } : one,
    ),
  ),
  // Source: from experience (results sorted as texts: 0, 1, 10, 11, 2)
  showsBatch(
    "BATCH-10",
    "the entries for more than ten messages are in the order of their positions as texts",
    (entries) =>
      [...entries.entries()]
        .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
        .map(([, entry]) => entry),
  ),
  // Source: from experience (two pages of a bulk insert are joined in the wrong order)
  showsBatch(
    "BATCH-10",
    "the entries of a batch of more than 50 messages begin with the second half",
    (entries) => (entries.length > 50 ? [...entries.slice(50), ...entries.slice(0, 50)] : entries),
  ),
  // Source: productdevbook/unemail#123 (the batch cap)
  showsBatch("BATCH-9", "the response to a batch of 100 has 99 entries", (entries) => entries.slice(0, 99)),
  // Source: twentyhq/twenty#23875 (one of the largest number is dropped)
  stateful("BATCH-13", "the last message of a batch of 100 cannot be looked up", () => {
    const lost = new Set<string>();
    return async (request, next) => {
      if (isMessageLookup(request) && lost.has(idOf(request))) return errorResponse(404, "not_found");
      const response = await next(request);
      const data = isBatch(request) && isSuccess(response) ? listOf(objectOf(response.body).data) : [];
      if (data.length === 100) lost.add(textOf(objectOf(data[99]).id));
      return response;
    };
  }),
  // Source: sendgrid/sendgrid-python#294 (of ten messages one is received)
  remembers("BATCH-14", "the messages of a batch after the 64th are never sent", () => {
    const lost = new Set<string>();
    return (response, request) => {
      if (isBatch(request) && isSuccess(response))
        for (const entry of listOf(objectOf(response.body).data).slice(64))
          lost.add(textOf(objectOf(entry).id));
      if (!isMessageLookup(request) || !isSuccess(response) || !lost.has(idOf(request))) return response;
      const unsent = {
        status: "queued",
        sent_at: null,
        delivered_at: null,
        bounced_at: null,
        complained_at: null,
      };
      return withFields(response, { ...unsent, bounce: null, events: [] });
    };
  }),
  // Source: anymail/django-anymail#139 (metadata is shared by a batch)
  showsByPlace("LOOK-6", "message 100 of a batch has the tags of the first one", (record, index, batch) =>
    index === 99 ? { ...record, tags: objectOf(batch[0]).tags ?? {} } : record,
  ),
  // Source: from experience (a variable outside the loop)
  showsByPlace(
    "LOOK-6",
    "a message of a batch without tags has those of the one before it",
    (record, index, batch) =>
      index > 0 && objectOf(batch[index]).tags === undefined
        ? { ...record, tags: objectOf(batch[index - 1]).tags ?? {} }
        : record,
  ),
  // Source: anymail/django-anymail#167 (per-recipient content in a batch)
  takesBatch("LOOK-5", "the subjects of a batch repeat after the 64th message", (messages) =>
    messages.map((message, index) =>
      index >= 64 && "subject" in message && "subject" in objectOf(messages[index - 64])
        ? { ...message, subject: objectOf(messages[index - 64]).subject }
        : message,
    ),
  ),
  // Source: from experience (skipped entries shift the others)
  showsBatch(
    "BATCH-12",
    "in a batch of more than ten messages the suppressed recipients are listed one entry too early",
    (entries) =>
      entries.length > 10
        ? entries.map((entry, index) => ({
            ...entry,
            suppressed: objectOf(entries[index + 1]).suppressed ?? [],
          }))
        : entries,
  ),
  // Source: from experience (an IN query with at most 50 values)
  showsBatch("BATCH-12", "the suppressed recipients of messages after the 50th are not listed", (entries) =>
    entries.map((entry, index) => (index < 50 ? entry : { ...entry, suppressed: [] })),
  ),
  // Source: textbee/textbee#283 (usage that is not counted)
  counts("of a batch of more than 50 messages the recipients of 50 count", (request) =>
    isBatch(request) ? sentMessages(request).slice(50).flatMap(recipientsIn).length : 0,
  ),
  // Source: from experience (each message of a large batch is an internal request)
  remembers("LIMIT-4", "each message of a batch of more than 50 counts as a request", ({ now: clock }) => {
    const spent = new Map<string, { at: number; count: number }>();
    return (response, request) => {
      const remaining = response.headers["x-ratelimit-remaining"];
      if (remaining === undefined) return response;
      const messages = sentMessages(request).length;
      const { at, count } = spent.get(authorizationOf(request)) ?? { at: 0, count: 0 };
      const now = clock();
      const total = (now - at < 60_000 ? count : 0) + (isBatch(request) && messages > 50 ? messages - 1 : 0);
      spent.set(authorizationOf(request), { at: now, count: total });
      return withHeader(response, "x-ratelimit-remaining", String(Math.max(0, Number(remaining) - total)));
    };
  }),
  // Source: codidact/qpixel#1728, codidact/qpixel#1724 (50 recipients altogether instead of in each field)
  stateful(
    "SEND-18",
    "more than 50 recipients in all three fields together are rejected",
    () => (request, next) => {
      const message = sentMessages(request).find(
        (one) => recipientsIn(one).length > 50 && listOf(one.to).length <= 50,
      );
      return isSend(request) &&
        message !== undefined &&
        listOf(message.cc).length <= 50 &&
        listOf(message.bcc).length <= 50
        ? errorResponse(422, "invalid_request", "to")
        : next(request);
    },
  ),
  // Source: PuzzleServer/mainpuzzleserver#429 (48 of 50 recipients)
  takesMessage(
    "SEND-18",
    "the last of 50 recipients in `cc` gets no copy",
    inList("cc", (all) => (all.length === 50 ? all.slice(0, 49) : all)),
  ),
  // Source: twentyhq/twenty#23875
  counts(
    "the last of 50 recipients in `bcc` does not count",
    (request) => sentMessages(request).filter((message) => listOf(message.bcc).length === 50).length,
  ),
  // Source: from experience (a preview of recipients)
  showsMessage(
    "LOOK-4",
    "a record shows 25 of 50 recipients",
    inList("to", (all) => all.slice(0, 25)),
  ),
  // Source: from experience (a list in a response is cut to a page)
  showsIn(
    "SEND-34",
    "a response lists at most ten suppressed recipients",
    isSend,
    inList("suppressed", (all) => all.slice(0, 10)),
  ),
  // Source: from experience (less than instead of at most)
  takesMessage(
    "SEND-21",
    "the last of 20 tags is dropped",
    inEntries("tags", (all) => (all.length === 20 ? all.slice(0, 19) : all)),
  ),
  // Source: from experience (less than instead of at most)
  takesMessage(
    "SEND-24",
    "the last of ten extra headers is dropped",
    inEntries("headers", (all) => (all.length === 10 ? all.slice(0, 9) : all)),
  ),
  // Source: anymail/django-anymail#167 (attachments in a multipart form with a limit of parts)
  takesMessage(
    "ATT-1",
    "the last of 20 attachments is dropped",
    inList("attachments", (all) => (all.length === 20 ? all.slice(0, 19) : all)),
  ),
  // Source: mailgun/mailgun-php#657 (attachments by name)
  takesMessage(
    "ATT-1",
    "of two attachments with one file name the last is sent",
    inList("attachments", (files) => {
      const byName = new Map(files.map((one) => [objectOf(one).filename ?? one, one]));
      return files.length <= 20 ? [...byName.values()] : files;
    }),
  ),
  // Source: from experience (the limit applies to the base64 text)
  stateful(
    "ATT-13",
    "attachments of more than 18 MB are rejected: their base64 text has more than 25 MB",
    () => (request, next) => {
      const encoded = attachmentsOf(request).reduce((sum, { content }) => sum + textOf(content).length, 0);
      return encoded > 25_000_000 && encoded < 29_000_000
        ? errorResponse(413, "send_rejected")
        : next(request);
    },
  ),
  // Source: from experience (a body parser with a limit of 100 kB; batches have a parser of their own)
  stateful(
    "BATCH-3",
    "a batch of more than 1 MB is rejected",
    () => (request, next) =>
      isBatch(request) && size(request.body) > 1_048_576 && size(request.body) < 20_000_000
        ? errorResponse(413, "send_rejected")
        : next(request),
  ),
  // Source: openagentemail/openagentemail#304 (silently cut beyond some length)
  takesMessage(
    "SEND-11",
    "an HTML body is cut after 1,048,576 characters",
    inText("html", (html) => html.slice(0, 1_048_576)),
  ),
  // Source: from experience (only the start of a large body is hashed)
  stateful("IDEM-2", "a request that differs after its first 65,536 characters is replayed", () => {
    const known = new Map<string, { start: string; response: MutantResponse }>();
    return async (request, next) => {
      if (keyOf(request) === undefined) return next(request);
      const start = (JSON.stringify(request.body) ?? "").slice(0, 65_536);
      const response = await next(request);
      const before = known.get(keyed(request));
      if (isSuccess(response) && !isReplay(response)) known.set(keyed(request), { start, response });
      return response.status === 409 && start.length === 65_536 && before?.start === start
        ? withHeader({ ...before.response }, "idempotent-replayed", "true")
        : response;
    };
  }),
  // Source: pjstevns/dbmail#10 (255 of 256 characters)
  takes(
    "IDEM-4",
    "idempotency keys of 256 characters that differ in the last one are the same",
    (request) => {
      const key = keyOf(request);
      return key?.length === 256
        ? { ...request, headers: { ...request.headers, "idempotency-key": key.slice(0, 255) } }
        : request;
    },
  ),
  // Source: from experience (a page of the stored response)
  showsIn(
    "IDEM-1",
    "a replay of a batch of more than 25 messages has 25 entries",
    (request, response) => isBatch(request) && isReplay(response),
    inList("data", (entries) => entries.slice(0, 25)),
  ),
  // Source: from experience (the limit per request is applied to the contact)
  showsMembership(
    "CONT-16",
    "a contact keeps its latest 20 tags",
    inList("tags", (tags) => tags.slice(-20)),
  ),
  showsMembership(
    "CONT-16",
    "a contact keeps its latest 100 tags",
    inList("tags", (tags) => tags.slice(-100)),
  ),
  showsMembership(
    "MEMB-7",
    "a membership shows its first 20 custom fields, although more were set",
    inEntries("fields", (fields) => fields.slice(0, 20)),
  ),
  // Source: from experience (a bulk insert in parts, with the bodies of the first)
  takesBatch("SEND-11", "from message 51 of a batch on, `html` is that of the first", (messages) =>
    messages.map((one, index) =>
      index >= 50 && "html" in one ? { ...one, html: messages[0]?.html ?? one.html } : one,
    ),
  ),
  // Source: from experience (tags in a column of 1,000 characters)
  takesMessage(
    "LOOK-6",
    "tags that have more than 2,000 characters together lose their longest value",
    (message) => {
      const tags = objectOf(message.tags);
      const longest = Math.max(0, ...Object.values(tags).map((value) => textOf(value).length));
      if (JSON.stringify(tags).length <= 2_000) return message;
      const [name = ""] = Object.entries(tags).find(([, value]) => textOf(value).length === longest) ?? [];
      return { ...message, tags: mapValues(without(tags), (value, key) => (key === name ? "" : value)) };
    },
  ),
  // Source: from experience (VARCHAR(255) for a text without a limit, in a database that cuts)
  takesContact(
    "MEMB-7",
    "custom fields are cut after 255 characters",
    inValues("fields", onText(cutTo(255))),
  ),
  takesMessage(
    "SEND-16",
    "template variables are cut after 255 characters",
    inValues("variables", onText(cutTo(255))),
  ),
  takesMessage(
    "LOOK-6",
    "tag names are cut after 64 characters",
    inEntries("tags", (all) => all.map(([name, value]) => [name.slice(0, 64), value])),
  ),
  // Source: from experience (TEXT of MySQL)
  takesMessage(
    "SEND-12",
    "a text of less than 1 MB is cut after 65,535 characters",
    inText("text", (text) => (text.length < 1_000_000 ? text.slice(0, 65_535) : text)),
  ),
  // Source: haraka/Haraka#2731 (files that pass in parts)
  takesMessage(
    "ATT-1",
    "files of 1 to 2 MB lose what is beyond 1 MB",
    inList("attachments", (files) =>
      files.map((file) =>
        inText("content", (content) => (content.length < 2_800_000 ? content.slice(0, 1_400_000) : content))(
          objectOf(file),
        ),
      ),
    ),
  ),
];
