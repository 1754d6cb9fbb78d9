import { randomUUID } from "node:crypto";
import { limits } from "../../../generated/limits.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The path of a list of the account API, which the document does not have. */
export const accountList = "/api/v1/domains";

/** More than a page can have. */
const items = Array.from({ length: limits.pageSize + 30 }, (_, index) => ({
  id: `dom_${index + 1}`,
  name: `${index + 1}.bakery.example`,
}));

/** The server, with a list of the account API in front. Keys and headers are those of `getMe`. */
export const withAccountList =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const { pathname, searchParams } = new URL(url, "http://sandbox");
    if (pathname !== accountList) return fetch(url, init);
    const me = await fetch("/api/v1/me", init);
    if (!me.ok) return me;
    await me.arrayBuffer();
    const headers = new Headers(me.headers);
    headers.delete("content-length");
    const limit = Number(searchParams.get("limit") ?? 20);
    if (limit > limits.pageSize) return tooLarge(headers.get("x-service-request-id") ?? randomUUID());
    return Response.json(pageAt(Number(searchParams.get("cursor")?.slice(3) ?? 0), limit), { headers });
  };

function pageAt(start: number, limit: number): object {
  const end = start + limit;
  const has_more = end < items.length;
  return { data: items.slice(start, end), has_more, next_cursor: has_more ? `at_${end}` : null };
}

function tooLarge(request_id: string): Response {
  const fields = { limit: [`The limit is at most ${limits.pageSize}.`] };
  const error = { type: "invalid_request", message: "The limit is too large.", fields, request_id };
  return Response.json({ error }, { status: 422, headers: { "x-service-request-id": request_id } });
}
