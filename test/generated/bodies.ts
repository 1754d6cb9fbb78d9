/** Request bodies at both sides of every rule, for the request validators. */
export interface BodyCase {
  /** The fact, as a sentence. */
  name: string;
  operation: "sendEmail" | "sendBatch" | "rescheduleEmail" | "upsertContact" | "unsubscribeContact";
  body: unknown;
  /** The keyword that refuses it and where; none where it is taken. */
  refused?: { keyword: string; at: string };
}

export const address = "ada@example.com";
export const message = { from: address, to: [address], subject: "Hello", text: "Hello there" };
export const contact = { email: address, list_id: 1 };
export const file = { filename: "a.txt", content: "aGVsbG8=" };
/** A body with the given fields in it. */
export type Wrap = (fields: object) => unknown;
export const send: Wrap = (fields) => ({ ...message, ...fields });
export const batch: Wrap = (fields) => ({ emails: [message, { ...message, ...fields }] });
export const upsert: Wrap = (fields) => ({ ...contact, ...fields });

type Operation = BodyCase["operation"];

/** A body that is taken. */
export const taken = (operation: Operation, what: string, body: unknown): BodyCase => ({
  name: `${operation}: ${what} is taken`,
  operation,
  body,
});

/** A body that the keyword at the place refuses. */
export const refused = (
  operation: Operation,
  what: string,
  body: unknown,
  by: { keyword: string; at: string },
): BodyCase => ({ name: `${operation}: ${what} is refused`, operation, body, refused: by });
