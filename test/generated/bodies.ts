/** Request bodies at both sides of every rule, for the request validators. */
export interface BodyCase {
  /** The fact, as a sentence. */
  name: string;
  operation: "sendEmail" | "sendBatch" | "rescheduleEmail" | "upsertContact" | "unsubscribeContact";
  body: unknown;
  /** The keyword that rejects it and where; none where it is accepted. */
  rejected?: { keyword: string; at: string };
}

export const emailAddress = "ada@example.com";
export const message = { from: emailAddress, to: [emailAddress], subject: "Hello", text: "Hello there" };
const contact = { email: emailAddress, list_id: 1 };
export const file = { filename: "a.txt", content: "aGVsbG8=" };
/** A body with the given fields in it. */
export type Wrap = (fields: object) => unknown;
export const send: Wrap = (fields) => ({ ...message, ...fields });
export const batch: Wrap = (fields) => ({ emails: [message, { ...message, ...fields }] });
export const upsert: Wrap = (fields) => ({ ...contact, ...fields });

type Operation = BodyCase["operation"];

/** A body that is accepted. */
export const accepted = (operation: Operation, what: string, body: unknown): BodyCase => ({
  name: `${operation}: ${what} is accepted`,
  operation,
  body,
});

/** A body that the keyword at the place rejects. */
export const rejected = (
  operation: Operation,
  what: string,
  body: unknown,
  by: { keyword: string; at: string },
): BodyCase => ({ name: `${operation}: ${what} is rejected`, operation, body, rejected: by });
