import { type CreateDifference, differing } from "../client-mutant.ts";
import { type RetryPolicy, retrying } from "../retrying.ts";

/** A correct client that differs from the project's own client. */
export interface ClientVariant {
  /** The difference as a statement. */
  title: string;
  create: CreateDifference;
  /** Whether it does the same as the unchanged client in calls that succeed at once. */
  isSameIfAllSucceeds?: boolean;
}

/** A variant that differs in which requests it sends again, and when. */
export const retries = (title: string, policy: Partial<RetryPolicy>): ClientVariant => ({
  title,
  create: retrying(policy),
  isSameIfAllSucceeds: true,
});

/** Create variants whose requests, bodies and results differ. */
export const { sends, sendsBody, returns } = differing((title, create): ClientVariant => ({ title, create }));

/** Creates variants whose errors differ. */
export const { rejects } = differing(
  (title, create): ClientVariant => ({ title, create, isSameIfAllSucceeds: true }),
);

/** A variant that writes the same JSON in another way. */
export const writesBody = (title: string, write: (text: string) => string): ClientVariant =>
  sends(title, ({ body }) => (body === undefined ? undefined : { body: write(body.toString()) }));
