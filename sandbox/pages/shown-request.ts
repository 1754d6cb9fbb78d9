import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { createPathMatcher } from "../api/path-matcher.ts";
import type { RecentRequest } from "../api/recent.ts";
import type { LoggedRequest } from "../domain/records.ts";
import { errorTypeOf } from "../responses/response.ts";

/** A request of the log, or one that the log does not keep. */
export type ShownRequest = Omit<LoggedRequest, "accountId"> & { accountId: string | null };

/** A request from memory as the log would keep it. */
export const shownRequest = ({
  error,
  accepted: _,
  confirmation: __,
  ...request
}: RecentRequest): ShownRequest => ({
  ...request,
  errorType: error && errorTypeOf(errors[error.id]),
  fields: Object.keys(error?.fields ?? {}),
});

const findMessage = createPathMatcher([[operations.getEmail.path, true]]);

/** The ids of the messages that a request sent, as far as they are known, or of the message that it was about. */
export function messagesOf(
  { path, method, status }: ShownRequest,
  details: RecentRequest | undefined,
): string[] {
  if (details !== undefined && details.accepted !== null) return idsIn(JSON.parse(details.accepted));
  if (typeof details?.confirmation === "string") return [details.confirmation];
  const id = method === "POST" || status === 404 ? undefined : findMessage(path)?.parameters.id;
  return id === undefined ? [] : [id];
}

/** The ids in the response of a send: its own, or those of the messages of a batch. */
const idsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== "object" || value === null) return [];
  return "id" in value ? [String(value.id)] : Object.values(value).flatMap(idsIn);
};
