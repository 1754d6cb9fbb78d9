import {
  changeRequests,
  changeResponses,
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type Next,
  type RequirementId,
  respondInstead,
  type SandboxContext,
} from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf } from "./newsletter.ts";

const emails = "/api/v1/emails";

/** Sends a message, at once or later. */
export const isSend = ({ method, path }: MutantRequest): boolean => method === "POST" && path === emails;
/** Sends a message later. */
export const isScheduled = (request: MutantRequest): boolean =>
  isSend(request) && "scheduled_at" in objectOf(request.body);
/** Sends a batch. */
export const isBatch = ({ method, path }: MutantRequest): boolean =>
  method === "POST" && path === `${emails}/batch`;
const ofOne =
  (wanted: string) =>
  ({ method, path }: MutantRequest): boolean =>
    method === wanted && path.startsWith(`${emails}/`);
/** Looks a message up. */
export const isMessageLookup = ofOne("GET");
/** Gives a message another time. */
export const isReschedule = ofOne("PATCH");
/** Cancels a message. */
export const isCancel = ofOne("DELETE");

/** The id of the message that a request is about. */
export const idOf = ({ path }: MutantRequest): string => decodeURIComponent(path.slice(emails.length + 1));

/** The sender of the demo account, and somebody to write to. */
export const from = "contract@bakery.example";
export const to = ["success@simulator.example"];

/** The messages of a batch. */
export const messagesIn = (body: unknown): Json[] => {
  const { emails: messages } = objectOf(body);
  return Array.isArray(messages) ? (messages as Json[]) : [];
};

/** Takes a single send that is to be refused: it is put right on its way. */
export const acceptsSend = (
  requirement: RequirementId,
  title: string,
  repair: (body: Json) => Json | undefined,
): Mutant =>
  changeRequests(requirement, `takes ${title}`, (request) => {
    const body = isSend(request) ? repair(objectOf(request.body)) : undefined;
    return body && { ...request, body };
  });

/** Refuses a single send that is to be taken. */
export const rejectsSend = (
  requirement: RequirementId,
  title: string,
  field: string,
  isRejected: (body: Json) => boolean,
): Mutant =>
  respondInstead(requirement, `refuses ${title}`, (request) =>
    isSend(request) && isRejected(objectOf(request.body))
      ? errorResponse(422, "invalid_request", field)
      : undefined,
  );

/** Takes a batch with a message that is to be refused: each message is put right on its way. */
export const acceptsInBatch = (
  requirement: RequirementId,
  title: string,
  repair: (message: Json) => Json | undefined,
): Mutant =>
  changeRequests(requirement, `takes ${title} in a batch`, (request) =>
    isBatch(request) && messagesIn(request.body).length > 0
      ? { ...request, body: withMessages(request.body, (message) => repair(message) ?? message) }
      : undefined,
  );

const withMessages = (body: unknown, change: (message: Json) => Json): Json => ({
  ...objectOf(body),
  emails: messagesIn(body).map((message) => (typeof message === "object" ? change(message) : message)),
});

/** Refuses a batch with a message that is to be taken. */
export const rejectsInBatch = (
  requirement: RequirementId,
  title: string,
  field: string,
  isRejected: (message: Json) => boolean,
): Mutant =>
  respondInstead(requirement, `refuses ${title} in a batch`, (request) => {
    const position = isBatch(request) ? messagesIn(request.body).map(objectOf).findIndex(isRejected) : -1;
    return position < 0 ? undefined : errorResponse(422, "invalid_request", `emails.${position}.${field}`);
  });

/** Another response to those sends that are taken. */
export const changeSendResponses = (
  requirement: RequirementId,
  title: string,
  change: (body: Json, request: MutantRequest) => unknown,
  applies: (request: MutantRequest) => boolean = (request) => isSend(request) && !isScheduled(request),
): Mutant =>
  changeResponses(requirement, title, (response, request) =>
    applies(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body), request) }
      : undefined,
  );

/** Other entries in the response to a batch. */
export const changeBatchEntries = (
  requirement: RequirementId,
  title: string,
  change: (entries: Json[], request: MutantRequest) => unknown[],
): Mutant =>
  changeSendResponses(
    requirement,
    title,
    (body, request) => ({ ...body, data: change(body.data as Json[], request) }),
    isBatch,
  );

/** Another record of a message, wherever one is looked up. */
export const changeRecords = (
  requirement: RequirementId,
  title: string,
  change: (record: Json, request: MutantRequest) => unknown,
): Mutant =>
  changeResponses(requirement, title, (response, request) =>
    isMessageLookup(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body), request) }
      : undefined,
  );

/** A fault that remembers what it saw. */
export const stateful = (
  requirement: RequirementId,
  title: string,
  intercept: (context: SandboxContext) => Interceptor,
): Mutant => ({ requirement, title, intercept });

/** A response of success to a call that the server refused. */
export const accepted = (response: MutantResponse, status: number, body: unknown): MutantResponse => ({
  ...response,
  status,
  headers: { ...response.headers, ...budget },
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
export const withOtherKey = (
  request: MutantRequest,
  next: Next,
  authorization: string,
): Promise<MutantResponse> => next({ ...request, headers: { ...request.headers, authorization } });

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

/** A time in a response or a request, in milliseconds since 1970. */
export const timeOf = (value: unknown): number => Date.parse(String(value));
