import type { OperationId } from "../../generated/operations.ts";
import { mail, type RequestOptions, type Rig, start, time } from "./rig.ts";

/** A request to an operation, without what a test changes. */
export interface OperationRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** Schedules a message. @returns its id */
export async function scheduled(rig: Rig, options?: RequestOptions): Promise<string> {
  const response = await rig.post("/api/v1/emails", mail({ scheduled_at: time(start + 3_600_000) }), options);
  return response.body.id;
}

/** A request to each operation that succeeds on a fresh sandbox. */
export const validRequests: Record<OperationId, (rig: Rig) => OperationRequest | Promise<OperationRequest>> =
  {
    sendEmail: () => ({ method: "POST", path: "/api/v1/emails", body: mail() }),
    sendBatch: () => ({ method: "POST", path: "/api/v1/emails/batch", body: { emails: [mail(), mail()] } }),
    getEmail: async (rig) => ({ method: "GET", path: `/api/v1/emails/${await scheduled(rig)}` }),
    rescheduleEmail: async (rig) => ({
      method: "PATCH",
      path: `/api/v1/emails/${await scheduled(rig)}`,
      body: { scheduled_at: time(start + 7_200_000) },
    }),
    cancelEmail: async (rig) => ({ method: "DELETE", path: `/api/v1/emails/${await scheduled(rig)}` }),
    listNewsletterLists: () => ({ method: "GET", path: "/api/v1/newsletter/lists" }),
    listCustomFields: () => ({ method: "GET", path: "/api/v1/newsletter/fields" }),
    upsertContact: () => ({
      method: "POST",
      path: "/api/v1/newsletter/contacts",
      body: { email: "new@readers.example", list_id: 2 },
    }),
    getContact: () => ({ method: "GET", path: "/api/v1/newsletter/contacts/subscribed%40readers.example" }),
    unsubscribeContact: () => ({
      method: "POST",
      path: "/api/v1/newsletter/contacts/subscribed%40readers.example/unsubscribe",
      body: { list_id: 1 },
    }),
    getMe: () => ({ method: "GET", path: "/api/v1/me" }),
  };

/** Sends a request to an operation. */
export const make = (rig: Rig, { method, path, body }: OperationRequest, options: RequestOptions = {}) =>
  rig.call(method, path, body === undefined ? options : { body, ...options });
