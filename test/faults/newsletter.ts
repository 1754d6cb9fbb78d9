import {
  type Fault,
  type FaultAnswer,
  type FaultRequest,
  inAnswers,
  inRequests,
  instead,
  type RequirementId,
} from "./fault.ts";

/** An object of a body. */
export type Json = Record<string, unknown>;

const contacts = "/api/v1/newsletter/contacts";

/** The paths of what is read of an account. */
export const paths = { lists: "/api/v1/newsletter/lists", fields: "/api/v1/newsletter/fields" } as const;

/** Adds a contact, or updates it. */
export const isPost = ({ method, path }: FaultRequest): boolean => method === "POST" && path === contacts;
/** Looks a contact up. */
export const isLookUp = ({ method, path }: FaultRequest): boolean =>
  method === "GET" && path.startsWith(`${contacts}/`);
/** Unsubscribes a contact. */
export const isLeaving = ({ method, path }: FaultRequest): boolean =>
  method === "POST" && path.startsWith(`${contacts}/`) && path.endsWith("/unsubscribe");

/** A body that is an object; one without anything where it is none. */
export const objectOf = (body: unknown): Json =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Json) : {};

/** A text; an empty one where it is none. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
/** A list; an empty one where it is none. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The values of custom fields in a request or a membership. */
export const fieldsOf = ({ fields }: Json): Json => objectOf(fields);

/** The address of a contact that a request is about, in small letters. */
export function addressIn({ path, body }: FaultRequest): string {
  const [part = ""] = path.slice(contacts.length + 1).split("/");
  return (part === "" ? String(objectOf(body).email) : decodeURIComponent(part)).toLowerCase();
}

/** The memberships of a contact record. */
export const membershipsIn = ({ body }: Pick<FaultAnswer, "body">): Json[] => {
  const { lists } = objectOf(body);
  return Array.isArray(lists) ? lists.map(objectOf) : [];
};

export const isGood = ({ status }: FaultAnswer): boolean => status >= 200 && status < 300;

let refusals = 0;

/** A refusal in the shape of the service. */
export function refusal(status: number, type: string, ...fields: string[]): FaultAnswer {
  refusals += 1;
  const id = `req_fault_${refusals}`;
  const named = Object.fromEntries(fields.map((field) => [field, ["Is not right."]]));
  return {
    status,
    headers: { "content-type": "application/json", "x-service-request-id": id },
    body: {
      error: {
        type,
        message: "Refused by a fault.",
        request_id: id,
        ...(fields.length === 0 ? {} : { fields: named }),
      },
    },
  };
}

/** Other entries in what is read of an account. */
export const inReading = (
  breaks: RequirementId,
  title: string,
  name: keyof typeof paths,
  change: (entry: Json, index: number) => Json,
): Fault =>
  inAnswers(breaks, title, (answer, { method, path }) => {
    if (method !== "GET" || path !== paths[name] || !isGood(answer)) return undefined;
    const { [name]: entries } = objectOf(answer.body);
    return { ...answer, body: { ...objectOf(answer.body), [name]: (entries as Json[]).map(change) } };
  });

/** Another body in what is read of an account. */
export const inReadingWhole = (
  breaks: RequirementId,
  title: string,
  name: keyof typeof paths,
  change: (entries: Json[]) => unknown,
): Fault =>
  inAnswers(breaks, title, (answer, { method, path }) => {
    if (method !== "GET" || path !== paths[name] || !isGood(answer)) return undefined;
    return { ...answer, body: change(objectOf(answer.body)[name] as Json[]) };
  });

/** Another membership wherever one is shown: by itself, and in the record of a contact. */
export const inMemberships = (
  breaks: RequirementId,
  title: string,
  change: (membership: Json, request: FaultRequest) => Json,
): Fault =>
  inAnswers(breaks, title, (answer, request) => {
    if (!isGood(answer)) return undefined;
    if (isPost(request)) return { ...answer, body: change(objectOf(answer.body), request) };
    if (!isLookUp(request) && !isLeaving(request)) return undefined;
    const lists = membershipsIn(answer).map((one) => change(one, request));
    return { ...answer, body: { ...objectOf(answer.body), lists } };
  });

/** Another membership in the answers to posts. */
export const inPosts = (
  breaks: RequirementId,
  title: string,
  change: (answer: FaultAnswer, membership: Json, request: FaultRequest) => FaultAnswer | undefined,
): Fault =>
  inAnswers(breaks, title, (answer, request) =>
    isPost(request) && isGood(answer) ? change(answer, objectOf(answer.body), request) : undefined,
  );

/** Another record in the answers to looking a contact up, and to unsubscribing one. */
export const inRecords = (
  breaks: RequirementId,
  title: string,
  change: (record: Json, request: FaultRequest) => unknown,
  isMeant = (request: FaultRequest) => isLookUp(request) || isLeaving(request),
): Fault =>
  inAnswers(breaks, title, (answer, request) =>
    isMeant(request) && isGood(answer)
      ? { ...answer, body: change(objectOf(answer.body), request) }
      : undefined,
  );

/** Takes what is to be refused: the request is put right on its way. */
export const takes = (
  breaks: RequirementId,
  title: string,
  putRight: (body: Json) => Json | undefined,
  isMeant = isPost,
): Fault =>
  inRequests(breaks, `takes ${title}`, (request) => {
    const body = isMeant(request) ? putRight(objectOf(request.body)) : undefined;
    return body && { ...request, body };
  });

/** Refuses what is to be taken, with 422. */
export const refuses = (
  breaks: RequirementId,
  title: string,
  field: string,
  isRefused: (body: Json) => boolean,
  isMeant = isPost,
): Fault =>
  instead(breaks, `refuses ${title}`, (request) =>
    isMeant(request) && isRefused(objectOf(request.body))
      ? refusal(422, "invalid_request", field)
      : undefined,
  );

/** An object without a property. */
export const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
