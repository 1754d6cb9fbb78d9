import pLimit from "p-limit";
import type { ControlApi } from "./control-api.ts";
import type { RemoteMessage, RemoteSandbox } from "./types.ts";

/** The most messages of a page of the control API. */
const pageSize = 500;

const requestsAtOnce = 8;

export const remoteOutbox = (api: ControlApi): RemoteSandbox["outbox"] => ({
  async messages(query = {}) {
    const ids = await messageIds(api, query);
    const limit = pLimit(requestsAtOnce);
    const messages = ids.map((id) => limit(() => api.get(`/sandbox/outbox/${id}`)));
    return (await Promise.all(messages)) as RemoteMessage[];
  },
  eml: ({ id }) => api.bytes(`/sandbox/outbox/${id}.eml`),
});

async function messageIds(
  api: ControlApi,
  { accountId, limit = Number.POSITIVE_INFINITY }: { accountId?: string; limit?: number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let more = true; more && ids.length < limit; ) {
    const query = new URLSearchParams({ limit: String(Math.min(pageSize, limit - ids.length)) });
    if (accountId !== undefined) query.set("account", accountId);
    const before = ids.at(-1);
    if (before !== undefined) query.set("before", before);
    const page = (await api.get(`/sandbox/outbox?${query}`)) as MessagePage;
    ids.push(...page.messages.map(({ id }) => id));
    more = page.has_more;
  }
  return ids;
}

interface MessagePage {
  messages: { id: string }[];
  has_more: boolean;
}
