import {
  type Between,
  type Fault,
  type FaultAnswer,
  type FaultRequest,
  inAnswers,
  inRequests,
  instead,
  type Next,
  type RequirementId,
  type Surroundings,
} from "./fault.ts";
import { isGood, type Json, objectOf, refusal } from "./newsletter.ts";

const emails = "/api/v1/emails";

/** Sends a message, at once or later. */
export const isSend = ({ method, path }: FaultRequest): boolean => method === "POST" && path === emails;
/** Sends a message later. */
export const isScheduled = (request: FaultRequest): boolean =>
  isSend(request) && "scheduled_at" in objectOf(request.body);
/** Sends a batch. */
export const isBatch = ({ method, path }: FaultRequest): boolean =>
  method === "POST" && path === `${emails}/batch`;
const ofOne =
  (wanted: string) =>
  ({ method, path }: FaultRequest): boolean =>
    method === wanted && path.startsWith(`${emails}/`);
/** Looks a message up. */
export const isLook = ofOne("GET");
/** Gives a message another time. */
export const isReschedule = ofOne("PATCH");
/** Cancels a message. */
export const isCancel = ofOne("DELETE");

/** The id of the message that a request is about. */
export const idOf = ({ path }: FaultRequest): string => decodeURIComponent(path.slice(emails.length + 1));

/** The sender of the demo account, and somebody to write to. */
export const from = "contract@bakery.example";
export const to = ["success@simulator.example"];

/** The messages of a batch. */
export const messagesIn = (body: unknown): Json[] => {
  const { emails: messages } = objectOf(body);
  return Array.isArray(messages) ? (messages as Json[]) : [];
};

/** Takes a single send that is to be refused: it is put right on its way. */
export const takesSend = (
  breaks: RequirementId,
  title: string,
  putRight: (body: Json) => Json | undefined,
): Fault =>
  inRequests(breaks, `takes ${title}`, (request) => {
    const body = isSend(request) ? putRight(objectOf(request.body)) : undefined;
    return body && { ...request, body };
  });

/** Refuses a single send that is to be taken. */
export const refusesSend = (
  breaks: RequirementId,
  title: string,
  field: string,
  isRefused: (body: Json) => boolean,
): Fault =>
  instead(breaks, `refuses ${title}`, (request) =>
    isSend(request) && isRefused(objectOf(request.body)) ? refusal(422, "invalid_request", field) : undefined,
  );

/** Takes a batch with a message that is to be refused: each message is put right on its way. */
export const takesInBatch = (
  breaks: RequirementId,
  title: string,
  putRight: (message: Json) => Json | undefined,
): Fault =>
  inRequests(breaks, `takes ${title} in a batch`, (request) =>
    isBatch(request) && messagesIn(request.body).length > 0
      ? { ...request, body: withMessages(request.body, (message) => putRight(message) ?? message) }
      : undefined,
  );

const withMessages = (body: unknown, change: (message: Json) => Json): Json => ({
  ...objectOf(body),
  emails: messagesIn(body).map((message) => (typeof message === "object" ? change(message) : message)),
});

/** Refuses a batch with a message that is to be taken. */
export const refusesInBatch = (
  breaks: RequirementId,
  title: string,
  field: string,
  isRefused: (message: Json) => boolean,
): Fault =>
  instead(breaks, `refuses ${title} in a batch`, (request) => {
    const position = isBatch(request) ? messagesIn(request.body).map(objectOf).findIndex(isRefused) : -1;
    return position < 0 ? undefined : refusal(422, "invalid_request", `emails.${position}.${field}`);
  });

/** Another answer to those sends that are taken. */
export const inSendAnswers = (
  breaks: RequirementId,
  title: string,
  change: (body: Json, request: FaultRequest) => unknown,
  isMeant: (request: FaultRequest) => boolean = (request) => isSend(request) && !isScheduled(request),
): Fault =>
  inAnswers(breaks, title, (answer, request) =>
    isMeant(request) && isGood(answer)
      ? { ...answer, body: change(objectOf(answer.body), request) }
      : undefined,
  );

/** Other entries in the answer to a batch. */
export const inEntries = (
  breaks: RequirementId,
  title: string,
  change: (entries: Json[], request: FaultRequest) => unknown[],
): Fault =>
  inSendAnswers(
    breaks,
    title,
    (body, request) => ({ ...body, data: change(body.data as Json[], request) }),
    isBatch,
  );

/** Another record of a message, wherever one is looked up. */
export const inRecords = (
  breaks: RequirementId,
  title: string,
  change: (record: Json, request: FaultRequest) => unknown,
): Fault =>
  inAnswers(breaks, title, (answer, request) =>
    isLook(request) && isGood(answer)
      ? { ...answer, body: change(objectOf(answer.body), request) }
      : undefined,
  );

/** A fault that remembers what it saw. */
export const remembering = (
  breaks: RequirementId,
  title: string,
  between: (surroundings: Surroundings) => Between,
): Fault => ({ breaks, title, between });

/** An answer of success to a call that the server refused. */
export const taken = (answer: FaultAnswer, status: number, body: unknown): FaultAnswer => ({
  ...answer,
  status,
  headers: { ...answer.headers, ...budget },
  body,
});

/** The headers that successes of sends have. */
const budget = {
  "x-ratelimit-limit": "120",
  "x-ratelimit-remaining": "100",
  "x-service-monthly-quota": "50000",
  "x-service-monthly-remaining": "40000",
};

/** Makes the call again with another key. */
export const asAnother = (request: FaultRequest, next: Next, authorization: string): Promise<FaultAnswer> =>
  next({ ...request, headers: { ...request.headers, authorization } });

/** A record as it is before the message has gone out. */
export const unsent = (record: Json, status = "scheduled"): Json => ({
  ...record,
  status,
  sent_at: null,
  delivered_at: null,
  bounced_at: null,
  complained_at: null,
  bounce: null,
  events: [],
});

/** A time in an answer or a request, in milliseconds since 1970. */
export const timeOf = (value: unknown): number => Date.parse(String(value));
