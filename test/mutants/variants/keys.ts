import { accountOf } from "../../../contract/engine/settings.ts";
import { limits } from "../../../generated/limits.ts";
import { roles } from "../../../generated/schema-types.ts";
import { day, hour, lookupAt } from "../history.ts";
import type { MutantRequest, MutantResponse, SandboxContext } from "../mutant.ts";
import { monthOf } from "../periods.ts";
import { errorIn, errorResponse, pathOf, type Variant, withError } from "./variant.ts";

const minute = 60_000;

const accountIn = ({ headers }: MutantRequest, { bearer }: SandboxContext): string | undefined => {
  const role = roles.find((one) => headers.authorization === bearer(one));
  return role === undefined || role === "revoked" ? undefined : accountOf(role);
};

/** Counts the quota by months that begin when they do so many hours east of UTC. */
const beginsMonths = (zone: string, hours: number): Variant => ({
  title: `begins the months of the quota at midnight in ${zone}`,
  intercept: (context) => {
    const accounts = new Map<string, { month: string; used: number; ownMonth: string; ownUsed: number }>();
    return async (request, next) => {
      const response = await next(request);
      const { "x-service-monthly-quota": quota, "x-service-monthly-remaining": remaining } = response.headers;
      const account = accountIn(request, context);
      if (account === undefined || remaining === undefined) return response;
      const [month, ownMonth] = [monthOf(context.now()), monthOf(context.now() + hours * hour)];
      const used = Number(quota) - Number(remaining);
      const before = accounts.get(account) ?? { month, used: 0, ownMonth, ownUsed: 0 };
      const added = used - (before.month === month ? before.used : 0);
      const ownUsed = added + (before.ownMonth === ownMonth ? before.ownUsed : 0);
      accounts.set(account, { month, used, ownMonth, ownUsed });
      const left = String(Math.max(0, Number(quota) - ownUsed));
      return { ...response, headers: { ...response.headers, "x-service-monthly-remaining": left } };
    };
  },
});

/** Variants in what an API key, an idempotency key, the rate limit or the quota of an account means. */
export const keyVariants: Variant[] = [
  {
    title: "has a restricted key that may do nothing but send",
    intercept: (context) => async (request, next) => {
      const response = await next(request);
      const isNewsletter = pathOf(request).startsWith("/api/v1/newsletter");
      return isNewsletter && request.headers.authorization === context.bearer("restricted")
        ? errorResponse(response, 403, "forbidden")
        : response;
    },
  },
  {
    title: "keeps an idempotency key for a request that it rejected",
    intercept: ({ now }) => {
      const rejected = new Map<string, { at: number; body: string; response: MutantResponse }>();
      return async (request, next) => {
        const key = request.headers["idempotency-key"];
        if (key === undefined || key.length > limits.idempotencyKeyLength) return next(request);
        const name = `${request.headers.authorization} ${request.path} ${key}`;
        const body = JSON.stringify(request.body ?? request.text);
        const first = rejected.get(name);
        if (first !== undefined && now() - first.at < (limits.idempotencyWindow * day) / 24) {
          const { headers } = await next({ ...request, method: "GET", path: "/api/v1/me", body: undefined });
          const own = { status: 409, headers, body: undefined };
          if (body !== first.body) return errorResponse(own, 409, "idempotency_conflict");
          const replay = { ...first.response, headers: { ...headers, "idempotent-replayed": "true" } };
          return withError(replay, { request_id: headers["x-service-request-id"] });
        }
        const response = await next(request);
        // What is wrong with the request itself, not with its key or the moment.
        const isKept = [404, 409, 413, 422].includes(response.status);
        if (isKept && errorIn(response)?.type !== "idempotency_conflict")
          rejected.set(name, { at: now(), body, response });
        return response;
      };
    },
  },
  beginsMonths("Tokyo", 9),
  {
    title: "counts its rate limit in real time, whatever its clock says",
    intercept: (context) => {
      const counted = new Map<string, number[]>();
      return async (request, next) => {
        const account = accountIn(request, context);
        if (account === undefined) return next(request);
        const now = context.realNow?.() ?? context.now();
        const recent = (counted.get(account) ?? []).filter((at) => at > now - minute);
        counted.set(account, recent);
        const [oldest = now] = recent;
        if (recent.length >= limits.requestsPerMinute) {
          const { headers } = await next(lookupAt(request, "/api/v1/none"));
          const wait = String(Math.ceil((oldest + minute - now) / 1000));
          const rejection = { status: 429, headers: { ...headers, "retry-after": wait }, body: undefined };
          return errorResponse(rejection, 429, "rate_limited");
        }
        // Before the response: other requests come at the same time.
        recent.push(now);
        const left = String(limits.requestsPerMinute - recent.length);
        const response = await next(request);
        const all = counted.get(account) ?? [];
        if (response.status === 401) all.splice(all.indexOf(now), 1);
        const { "x-ratelimit-remaining": own } = response.headers;
        return own === undefined
          ? response
          : { ...response, headers: { ...response.headers, "x-ratelimit-remaining": left } };
      };
    },
  },
];
