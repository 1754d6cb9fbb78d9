import {
  changeRequests,
  changeResponses,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  respondInstead,
} from "./mutant.ts";

/** An object of a body. */
export type Json = Record<string, unknown>;

const contacts = "/api/v1/newsletter/contacts";

/** The paths of what is read of an account. */
export const paths = { lists: "/api/v1/newsletter/lists", fields: "/api/v1/newsletter/fields" } as const;

/** Adds a contact, or updates it. */
export const isUpsert = ({ method, path }: MutantRequest): boolean => method === "POST" && path === contacts;
/** Looks a contact up. */
export const isContactLookup = ({ method, path }: MutantRequest): boolean =>
  method === "GET" && path.startsWith(`${contacts}/`);
/** Unsubscribes a contact. */
export const isUnsubscribe = ({ method, path }: MutantRequest): boolean =>
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
export function emailOf({ path, body }: MutantRequest): string {
  const [part = ""] = path.slice(contacts.length + 1).split("/");
  return (part === "" ? String(objectOf(body).email) : decodeURIComponent(part)).toLowerCase();
}

/** The memberships of a contact record. */
export const membershipsOf = ({ body }: Pick<MutantResponse, "body">): Json[] => {
  const { lists } = objectOf(body);
  return Array.isArray(lists) ? lists.map(objectOf) : [];
};

export const isSuccess = ({ status }: MutantResponse): boolean => status >= 200 && status < 300;

let refusals = 0;

/** A refusal in the shape of the service. */
export function errorResponse(status: number, type: string, ...fields: string[]): MutantResponse {
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
export const changeEntries = (
  requirement: RequirementId,
  title: string,
  name: keyof typeof paths,
  change: (entry: Json, index: number) => Json,
): Mutant =>
  changeResponses(requirement, title, (response, { method, path }) => {
    if (method !== "GET" || path !== paths[name] || !isSuccess(response)) return undefined;
    const { [name]: entries } = objectOf(response.body);
    return { ...response, body: { ...objectOf(response.body), [name]: (entries as Json[]).map(change) } };
  });

/** Another body in what is read of an account. */
export const changeListing = (
  requirement: RequirementId,
  title: string,
  name: keyof typeof paths,
  change: (entries: Json[]) => unknown,
): Mutant =>
  changeResponses(requirement, title, (response, { method, path }) => {
    if (method !== "GET" || path !== paths[name] || !isSuccess(response)) return undefined;
    return { ...response, body: change(objectOf(response.body)[name] as Json[]) };
  });

/** Another membership wherever one is shown: by itself, and in the record of a contact. */
export const changeMemberships = (
  requirement: RequirementId,
  title: string,
  change: (membership: Json, request: MutantRequest) => Json,
): Mutant =>
  changeResponses(requirement, title, (response, request) => {
    if (!isSuccess(response)) return undefined;
    if (isUpsert(request)) return { ...response, body: change(objectOf(response.body), request) };
    if (!isContactLookup(request) && !isUnsubscribe(request)) return undefined;
    const lists = membershipsOf(response).map((one) => change(one, request));
    return { ...response, body: { ...objectOf(response.body), lists } };
  });

/** Another membership in the responses to posts. */
export const changeUpserts = (
  requirement: RequirementId,
  title: string,
  change: (response: MutantResponse, membership: Json, request: MutantRequest) => MutantResponse | undefined,
): Mutant =>
  changeResponses(requirement, title, (response, request) =>
    isUpsert(request) && isSuccess(response) ? change(response, objectOf(response.body), request) : undefined,
  );

/** Another record in the responses to looking a contact up, and to unsubscribing one. */
export const changeContacts = (
  requirement: RequirementId,
  title: string,
  change: (record: Json, request: MutantRequest) => unknown,
  applies = (request: MutantRequest) => isContactLookup(request) || isUnsubscribe(request),
): Mutant =>
  changeResponses(requirement, title, (response, request) =>
    applies(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body), request) }
      : undefined,
  );

/** Takes what is to be refused: the request is put right on its way. */
export const acceptsContact = (
  requirement: RequirementId,
  title: string,
  repair: (body: Json) => Json | undefined,
  applies = isUpsert,
): Mutant =>
  changeRequests(requirement, `takes ${title}`, (request) => {
    const body = applies(request) ? repair(objectOf(request.body)) : undefined;
    return body && { ...request, body };
  });

/** Refuses what is to be taken, with 422. */
export const rejectsContact = (
  requirement: RequirementId,
  title: string,
  field: string,
  isRejected: (body: Json) => boolean,
  applies = isUpsert,
): Mutant =>
  respondInstead(requirement, `refuses ${title}`, (request) =>
    applies(request) && isRejected(objectOf(request.body))
      ? errorResponse(422, "invalid_request", field)
      : undefined,
  );

/** An object without a property. */
export const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
