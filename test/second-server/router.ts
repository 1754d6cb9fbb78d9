import { emailRoutes } from "./emails.ts";
import { newsletterRoutes } from "./newsletter.ts";
import { type ApiResponse, ErrorResponse, type RequestContext, type Route, type Routes } from "./request.ts";
import { type AccountState, keys, type World } from "./world.ts";

const about = ({ key, own, world }: RequestContext): ApiResponse => ({
  status: 200,
  body: {
    may: key.can,
    works_until: key.lasts === undefined ? null : new Date(world.began + key.lasts).toISOString(),
    belongs_to: own.name,
  },
});

const routes: Routes = [
  ...emailRoutes,
  ...newsletterRoutes,
  [/^\/me$/, { GET: { ability: null, product: null, handle: about } }],
];

/** A request before its path and key are checked. */
export interface Incoming {
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  text: string;
}

const minute = 60_000;

/** Handles a request to the API. @throws ErrorResponse */
export function handle(world: World, incoming: Incoming, limitOf: (account: string) => number): ApiResponse {
  const [keyText, key] = keyOf(world, incoming.headers.authorization);
  const own = world.accountStates.get(key.account) as AccountState;
  const rateHeaders = spend(own, world.now(), limitOf(key.account));
  const { route, parameter } = routeOf(incoming);
  const { account } = own;
  if ((route.product === "mail" && !account.mail) || (route.product === "news" && !account.news))
    throw new ErrorResponse(402, "no_plan", "This is not part of what you have booked.");
  if (route.ability !== null && !key.can.includes(route.ability))
    throw new ErrorResponse(403, "forbidden", `This key may not do that: it lacks ${route.ability}.`);
  const { status, body, headers } = route.handle({ world, keyText, key, own, parameter, ...incoming });
  return { status, body, headers: { ...rateHeaders, ...headers } };
}

function keyOf(world: World, authorization = ""): [string, (typeof keys)[string]] {
  const text = authorization.replace(/^Bearer /, "");
  const key = Object.hasOwn(keys, text) ? keys[text] : undefined;
  const isOver = key?.lasts !== undefined && world.now() > world.began + key.lasts;
  if (key === undefined || key.revoked || isOver || text === authorization)
    throw new ErrorResponse(401, "unauthorized", "Who is calling? No key that works came along.");
  return [text, key];
}

/** Takes one from the budget of the minute that began with the first context. */
function spend({ window }: AccountState, now: number, limit: number): Record<string, string> {
  if (now - window.began >= minute) {
    window.began = now;
    window.used = 0;
  }
  if (window.used >= limit)
    throw new ErrorResponse(429, "rate_limited", "Too many requests in this minute.", {
      headers: { "Retry-After": String(Math.ceil((window.began + minute - now) / 1000)) },
    });
  window.used += 1;
  return { "X-RateLimit-Remaining": String(limit - window.used), "X-RateLimit-Limit": String(limit) };
}

function routeOf({ method, path }: Incoming): { route: Route; parameter: string } {
  const below = path.replace(/\?.*$/, "").replace(/^\/api\/v1/, "");
  for (const [form, methods] of routes) {
    const match = form.exec(below);
    if (match === null) continue;
    const route = methods[method];
    if (route !== undefined) return { route, parameter: decoded(match[1] ?? "") };
    const allowed = Object.keys(methods).join(", ");
    throw new ErrorResponse(405, "method_not_allowed", `Only ${allowed} here.`, {
      headers: { Allow: allowed },
    });
  }
  throw new ErrorResponse(404, "not_found", "There is nothing at this path.");
}

/** Decodes a path parameter; one that is encoded incorrectly is used as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
