import type { OperationId } from "../../generated/operations.ts";
import { type CallOptions, mail, type Rig, start, time } from "./rig.ts";

/** A call of an operation: everything but what a test changes about it. */
export interface OperationCall {
  method: string;
  path: string;
  body?: unknown;
}

/** A message that waits for its time. */
export async function scheduled(rig: Rig, options?: CallOptions): Promise<string> {
  const response = await rig.post("/api/v1/emails", mail({ scheduled_at: time(start + 3_600_000) }), options);
  return response.body.id;
}

/** A call of each operation that succeeds on a fresh sandbox. */
export const goodCalls: Record<OperationId, (rig: Rig) => OperationCall | Promise<OperationCall>> = {
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

/** Makes a call. */
export const make = (rig: Rig, { method, path, body }: OperationCall, options: CallOptions = {}) =>
  rig.call(method, path, body === undefined ? options : { body, ...options });
