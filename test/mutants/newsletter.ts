import { decoded } from "../../lib/text.ts";
import { type Mutant, type MutantRequest, type MutantResponse, type RequirementId, shows } from "./mutant.ts";

export type Json = Record<string, unknown>;

const contacts = "/api/v1/newsletter/contacts";

export const paths = { lists: "/api/v1/newsletter/lists", fields: "/api/v1/newsletter/fields" } as const;

export const isUpsert = ({ method, path }: MutantRequest): boolean => method === "POST" && path === contacts;
export const isContactLookup = ({ method, path }: MutantRequest): boolean =>
  method === "GET" && path.startsWith(`${contacts}/`);
export const isUnsubscribe = ({ method, path }: MutantRequest): boolean =>
  method === "POST" && path.startsWith(`${contacts}/`) && path.endsWith("/unsubscribe");

/** The body, or an empty object if it is not one. */
export const objectOf = (body: unknown): Json =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Json) : {};

/** The text, or an empty one. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
/** The list, or an empty one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const fieldsOf = ({ fields }: Json): Json => objectOf(fields);

/** The email address of the contact in a request, in lower case. */
export function emailOf({ path, body }: MutantRequest): string {
  const [part = ""] = path.slice(contacts.length + 1).split("/");
  return (part === "" ? String(objectOf(body).email) : (decoded(part) ?? part)).toLowerCase();
}

export const membershipsOf = ({ body }: Pick<MutantResponse, "body">): Json[] => {
  const { lists } = objectOf(body);
  return Array.isArray(lists) ? lists.map(objectOf) : [];
};

export const isSuccess = ({ status }: MutantResponse): boolean => status >= 200 && status < 300;

let errorResponses = 0;

/** An error response of the service. */
export function errorResponse(status: number, type: string, ...fields: string[]): MutantResponse {
  errorResponses += 1;
  const id = `req_mutant_${errorResponses}`;
  const named = Object.fromEntries(fields.map((field) => [field, ["Is invalid."]]));
  return {
    status,
    headers: { "content-type": "application/json", "x-service-request-id": id },
    body: {
      error: {
        type,
        message: "Rejected by a mutant.",
        request_id: id,
        ...(fields.length === 0 ? {} : { fields: named }),
      },
    },
  };
}

/** Changes the body of a listing. */
export const changeListing = (
  requirement: RequirementId,
  title: string,
  name: keyof typeof paths,
  change: (entries: Json[]) => unknown,
): Mutant =>
  shows(requirement, title, (response, { method, path }) => {
    if (method !== "GET" || path !== paths[name] || !isSuccess(response)) return undefined;
    return { ...response, body: change(objectOf(response.body)[name] as Json[]) };
  });

/** Changes a membership wherever one is shown. */
export const changeMemberships = (
  requirement: RequirementId,
  title: string,
  change: (membership: Json, request: MutantRequest) => Json,
): Mutant =>
  shows(requirement, title, (response, request) => {
    if (!isSuccess(response)) return undefined;
    if (isUpsert(request)) return { ...response, body: change(objectOf(response.body), request) };
    if (!isContactLookup(request) && !isUnsubscribe(request)) return undefined;
    const lists = membershipsOf(response).map((one) => change(one, request));
    return { ...response, body: { ...objectOf(response.body), lists } };
  });

/** Changes the responses to upserts. */
export const changeUpserts = (
  requirement: RequirementId,
  title: string,
  change: (response: MutantResponse, membership: Json, request: MutantRequest) => MutantResponse | undefined,
): Mutant =>
  shows(requirement, title, (response, request) =>
    isUpsert(request) && isSuccess(response) ? change(response, objectOf(response.body), request) : undefined,
  );

/** Changes contact records. */
export const changeContacts = (
  requirement: RequirementId,
  title: string,
  change: (record: Json, request: MutantRequest) => unknown,
  applies = (request: MutantRequest) => isContactLookup(request) || isUnsubscribe(request),
): Mutant =>
  shows(requirement, title, (response, request) =>
    applies(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body), request) }
      : undefined,
  );

export const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
