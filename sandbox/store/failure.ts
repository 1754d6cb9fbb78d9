import { StoreUnavailableError } from "../domain/store.ts";

/** Whether the database failed, such as on a full disk, or is away. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof StoreUnavailableError ||
  (error as NodeJS.ErrnoException | undefined)?.code === "ERR_SQLITE_ERROR";

/** What is wrong with the store, as a sentence. */
export const storeFailed = (error: Error): string => `The store failed: ${storeProblem(error)}.`;

/** What is wrong with the database; for one that cannot be reached, why. */
export function storeProblem({ message, cause }: Error): string {
  const sentence = message.replace(/\.$/, "");
  return cause instanceof Error && cause.message !== "" ? `${sentence} (${cause.message})` : sentence;
}
