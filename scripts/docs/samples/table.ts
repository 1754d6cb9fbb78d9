import type { OperationId } from "../../../generated/operations.ts";

/** The request that the samples of an operation send: the values of its parameters are those of the document. */
export interface SampleRow {
  /** The example of the body. */
  example?: string;
  /** Headers with other values than in the document. */
  headers?: Readonly<Record<string, string>>;
  /** The method of the TypeScript client. */
  method: string;
  /** The property of the body that the method takes instead of the body. */
  property?: string;
}

// Each operation has its own idempotency key: a reader may run one sample after the other.
const rows: Readonly<Record<OperationId, SampleRow>> = {
  sendEmail: { example: "receipt", method: "emails.send" },
  sendBatch: {
    example: "two_receipts",
    headers: { "Idempotency-Key": "receipts-1042-1043" },
    method: "emails.batch.send",
    property: "emails",
  },
  getEmail: { method: "emails.get" },
  rescheduleEmail: { example: "one_week_later", method: "emails.reschedule" },
  cancelEmail: { method: "emails.cancel" },
  listNewsletterLists: { method: "newsletter.lists" },
  listCustomFields: { method: "newsletter.fields" },
  upsertContact: {
    example: "signup",
    headers: { "Idempotency-Key": "order-1042-signup" },
    method: "newsletter.contacts.upsert",
  },
  getContact: { method: "newsletter.contacts.get" },
  unsubscribeContact: { example: "one_list", method: "newsletter.contacts.unsubscribe" },
  getMe: { method: "me" },
};

/** The row of an operation; undefined for one that only a changed document has. */
export const rowOf = (operationId: string): SampleRow | undefined =>
  (rows as Readonly<Record<string, SampleRow>>)[operationId];

/** Requests of guides, by the name that `<div data-samples="scheduled"></div>` has in a guide. */
export const guideRows: Readonly<
  Record<string, { operationId: OperationId; example: string; headers: Readonly<Record<string, string>> }>
> = {
  scheduled: {
    operationId: "sendEmail",
    example: "scheduled",
    headers: { "Idempotency-Key": "scheduled-1042" },
  },
};
