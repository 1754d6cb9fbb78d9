import { hash, randomUUID } from "node:crypto";
import { defaultDeadlines, type Settings } from "../../contract/engine/settings.ts";
import { limits } from "../../generated/limits.ts";
import { raisedRateLimits, seedWithManyFields, settingsOfSandbox } from "../../scripts/contract/targets.ts";

const { keys, fixtures: demoFixtures } = settingsOfSandbox("http://sandbox");

/** The settings of a run on the demo accounts. The mailbox is in process. */
export const demoSettings = (profile: Settings["profile"] = "full"): Settings => ({
  baseUrl: "http://sandbox",
  profile,
  runId: "proof",
  keys,
  fixtures: {
    ...demoFixtures,
    pages: { path: accountList },
    attachmentHash: linkedFileHash,
    mailbox: { smtp: 2525 },
  },
  deadlines: defaultDeadlines,
  hooks: {},
  without: [],
});

/** The demo accounts, some of them without a practical rate limit. */
export const demoSandbox = () => ({
  seed: seedWithManyFields(),
  requestsPerMinute: raisedRateLimits,
});

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

/** With bytes that are no text. */
const linkedFile = Buffer.concat([
  Buffer.from("Terms of the bakery: bread is paid at the counter.\r\n"),
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
]);

/** SHA-256 of the file at the link of the demo fixtures. */
const linkedFileHash = hash("sha256", linkedFile);

/** The server, which gets the file of that link without a network. */
export const withLinkedFile =
  (fetch: Fetch): Fetch =>
  (url, init) => {
    const { body } = init;
    const { attachmentLink = "" } = demoFixtures;
    if (!url.endsWith("/emails") || typeof body !== "string" || !body.includes(attachmentLink))
      return fetch(url, init);
    const message = JSON.parse(body) as { attachments?: Record<string, unknown>[] };
    if (message.attachments?.includes(null as never) === true) return fetch(url, init);
    const attachments = message.attachments?.map(({ path, ...attachment }) =>
      path === attachmentLink && !("content" in attachment)
        ? { ...attachment, content: linkedFile.toString("base64") }
        : { ...attachment, ...(path !== undefined && { path }) },
    );
    return fetch(url, { ...init, body: JSON.stringify({ ...message, attachments }) });
  };
