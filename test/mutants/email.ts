import { decoded } from "../../lib/text.ts";
import {
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  type SandboxContext,
  shows,
  takes,
} from "./mutant.ts";
import { isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";

const emails = "/api/v1/emails";

export const isSend = ({ method, path }: MutantRequest): boolean => method === "POST" && path === emails;
export const isScheduled = (request: MutantRequest): boolean =>
  isSend(request) && "scheduled_at" in objectOf(request.body);
export const isImmediate = (request: MutantRequest): boolean => isSend(request) && !isScheduled(request);
export const isBatch = ({ method, path }: MutantRequest): boolean =>
  method === "POST" && path === `${emails}/batch`;
const ofOne =
  (wanted: string) =>
  ({ method, path }: MutantRequest): boolean =>
    method === wanted && path.startsWith(`${emails}/`);
export const isMessageLookup = ofOne("GET");
export const isReschedule = ofOne("PATCH");
export const isCancel = ofOne("DELETE");

export const idOf = ({ path }: MutantRequest): string => {
  const part = path.slice(emails.length + 1);
  return decoded(part) ?? part;
};

/** The demo account's sender and a recipient. */
export const from = "contract@bakery.example";
export const to = ["success@simulator.example"];

/** The properties of a message with recipients. */
export const recipientFields = ["to", "cc", "bcc"] as const;

/** The number of recipients of a send or a batch. */
export const recipientsOf = (request: MutantRequest): number =>
  (isSend(request) ? [objectOf(request.body)] : messagesIn(request.body)).flatMap((one) =>
    recipientFields.flatMap((name) => listOf(one[name])),
  ).length;

/** Whether sending to an address of the demo account's fixtures has stopped. */
export const isSuppressed = (address: unknown): boolean =>
  /^(gone|angry|left)@readers\.example$/.test(String(address));

export const messagesIn = (body: unknown): Json[] => {
  const { emails: messages } = objectOf(body);
  return Array.isArray(messages) ? (messages as Json[]) : [];
};

/** Accepts an invalid send, by repairing it on the way. */
export const acceptsSend = (
  requirement: RequirementId,
  title: string,
  repair: (body: Json) => Json | undefined,
): Mutant =>
  takes(requirement, `accepts ${title}`, (request) => {
    const body = isSend(request) ? repair(objectOf(request.body)) : undefined;
    return body && { ...request, body };
  });

/** Changes the responses to accepted sends. */
export const changeSendResponses = (
  requirement: RequirementId,
  title: string,
  change: (body: Json, request: MutantRequest) => unknown,
  applies: (request: MutantRequest) => boolean = (request) => isSend(request) && !isScheduled(request),
): Mutant =>
  shows(requirement, title, (response, request) =>
    applies(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body), request) }
      : undefined,
  );

/** Changes the entries in the response to a batch. */
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

/** Changes the record in every message lookup. */
export const changeRecords = (
  requirement: RequirementId,
  title: string,
  change: (record: Json, request: MutantRequest) => unknown,
): Mutant =>
  shows(requirement, title, (response, request) =>
    isMessageLookup(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body), request) }
      : undefined,
  );

/** A mutant with state. */
export const stateful = (
  requirement: RequirementId,
  title: string,
  intercept: (context: SandboxContext) => Interceptor,
): Mutant => ({ requirement, title, intercept });

/** A success for a request that the server rejected. */
export const accepted = (response: MutantResponse, status: number, body: unknown): MutantResponse => ({
  ...response,
  status,
  headers: { ...response.headers, ...rateLimit },
  body,
});

/** Headers of a successful send. */
const rateLimit = {
  "x-ratelimit-limit": "120",
  "x-ratelimit-remaining": "100",
  "x-service-monthly-quota": "50000",
  "x-service-monthly-remaining": "40000",
};

/** The record before the message is sent. */
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

/** In milliseconds since 1970. */
export const timeOf = (value: unknown): number => Date.parse(String(value));
