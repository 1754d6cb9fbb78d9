import { type CreateDifference, differing } from "../client-mutant.ts";

/** A correct client that differs from the project's own client. */
export interface ClientVariant {
  /** The difference as a statement. */
  title: string;
  create: CreateDifference;
}

/** Create variants whose requests, bodies, results and errors differ. */
export const { sends, sendsBody, returns, rejects } = differing(
  (title, create): ClientVariant => ({ title, create }),
);

/** A variant that writes the same JSON in another way. */
export const writesBody = (title: string, write: (text: string) => string): ClientVariant =>
  sends(title, ({ body }) => (body === undefined ? undefined : { body: write(body.toString()) }));
