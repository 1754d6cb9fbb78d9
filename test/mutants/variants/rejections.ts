import { randomUUID } from "node:crypto";
import { limits } from "../../../generated/limits.ts";
import type { MutantResponse } from "../mutant.ts";
import { errorIn, errorResponse, isObject, isSend, type Json, pathOf, type Variant } from "./variant.ts";

/** The index of the message of a batch that is rejected because its recipients are suppressed. */
function suppressedMessage(response: MutantResponse): number | undefined {
  const { type, message } = errorIn(response) ?? {};
  const [, index] = /^emails\.(\d+): Sending to every recipient/.exec(String(message)) ?? [];
  return type === "send_rejected" && index !== undefined ? Number(index) : undefined;
}

/** Variants that reject in another way where the status or the type is unspecified, or do not reject. */
export const rejectionVariants: Variant[] = [
  {
    title: "accepts a message of a batch whose recipients are all suppressed",
    intercept: () => (request, next) => {
      const { headers } = request;
      // Its own replays would have to be remembered here.
      if (headers["idempotency-key"] !== undefined) return next(request);
      const accepted = async (messages: Json[], response: MutantResponse): Promise<MutantResponse> => {
        const index = suppressedMessage(response);
        if (index === undefined || messages.length === 1) return response;
        const emails = messages.toSpliced(index, 1);
        const others = await accepted(emails, await next({ ...request, headers, body: { emails } }));
        if (!isObject(others.body) || !Array.isArray(others.body.data)) return others;
        const { to, cc = [], bcc = [] } = messages[index] ?? {};
        const entry = { id: `sched_${randomUUID()}`, suppressed: [to, cc, bcc].flat() };
        return { ...others, body: { ...others.body, data: others.body.data.toSpliced(index, 0, entry) } };
      };
      const { emails = [] } = isObject(request.body) ? request.body : {};
      return next(request).then((response) => accepted(emails as Json[], response));
    },
  },
  {
    title: "rejects a too long idempotency key with 400",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const isTooLong = (request.headers["idempotency-key"]?.length ?? 0) > limits.idempotencyKeyLength;
      if (!isTooLong || response.status !== 422) return response;
      // The types of newsletter operations are specified.
      return errorResponse(response, 400, isSend(request) ? "key_too_long" : "invalid_request");
    },
  },
  {
    title: "rejects a body that is not JSON and an unknown template with 400 invalid_request",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const isUnreadable = request.text !== undefined || request.body === undefined;
      const isRejected = response.status === 422 && errorIn(response)?.type === "invalid_request";
      const template = isObject(request.body) ? String(request.body.template_id) : "";
      return isRejected && (isUnreadable || /^(no-template|draft)/.test(template))
        ? { ...response, status: 400 }
        : response;
    },
  },
  {
    title: "rejects an unknown template with 404",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const { type, fields = {} } = errorIn(response) ?? {};
      const [name = "", ...others] = Object.keys(fields as Json);
      const [, index] = /^(?:emails\.(\d+)\.)?template_id$/.exec(name) ?? ["", "none"];
      const { body } = request;
      if (type !== "invalid_request" || others.length > 0 || index === "none" || !isObject(body))
        return response;
      const message = index === undefined ? body : (body.emails as Json[])[Number(index)];
      return typeof message?.template_id === "string" ? errorResponse(response, 404, "not_found") : response;
    },
  },
  {
    title: "rejects every email operation of an account without a domain with 403",
    intercept: (context) => async (request, next) => {
      const response = await next(request);
      const isSingle = /^\/api\/v1\/emails\/(?!batch$)[^/]+$/.test(pathOf(request));
      const { authorization } = request.headers;
      return isSingle &&
        authorization === context.bearer("noDomain") &&
        [200, 404, 409].includes(response.status)
        ? errorResponse(response, 403, "forbidden")
        : response;
    },
  },
  {
    title: "rejects a malformed email address in a path with 422",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const [, email = ""] = /\/contacts\/([^/]+)/.exec(pathOf(request)) ?? [];
      const isMalformed = email !== "" && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(decoded(email));
      return isMalformed && response.status === 404 && errorIn(response)?.type === "not_found"
        ? errorResponse(response, 422, "invalid_request", { email: ["Must be an email address."] })
        : response;
    },
  },
];

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
