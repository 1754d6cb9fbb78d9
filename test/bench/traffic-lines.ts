const start = Date.parse("2026-11-24T12:00:00Z");
const host = "127.0.0.1:8080";

/** Lines for `observe --ndjson`: three sends and a lookup in turn, of a correct server that 2,000 requests a second reach. */
export function* trafficLines(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1)
    yield `${JSON.stringify(index % 4 === 3 ? lookup(index) : send(index))}\n`;
}

const idOf = (index: number): string => `msg_${index.toString(36).padStart(10, "0")}`;
const timeOf = (index: number): number => start + index * 0.5 + 0.123;
const recipientOf = (index: number): string => `ada${index % 1000}@readers.example`;

const sent = (index: number) => ({
  from: "orders@bakery.example",
  to: [recipientOf(index)],
  subject: `Your order ${index}`,
  tags: { order: String(index) },
});

function exchange(index: number, method: string, path: string, headers: Record<string, string> = {}) {
  const at = timeOf(index);
  return {
    startedAt: at,
    milliseconds: 0.3,
    method,
    url: `http://${host}/api/v1/emails${path}`,
    requestHeaders: {
      authorization: "Bearer key-1",
      host,
      ...(method === "POST" && { "content-type": "application/json" }),
    },
    responseHeaders: {
      "content-type": "application/json",
      "x-service-request-id": `req_${index}`,
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": String(119 - (index % 120)),
      date: new Date(at).toUTCString(),
      ...headers,
    },
  };
}

function send(index: number): object {
  const remaining = String(900_000_000 - index + Math.floor(index / 4));
  const quota = { "x-service-monthly-quota": "1000000000", "x-service-monthly-remaining": remaining };
  return {
    ...exchange(index, "POST", "", quota),
    requestBody: JSON.stringify({
      ...sent(index),
      text: "Thank you. Your order left our bakery this morning.",
    }),
    status: 202,
    responseBody: JSON.stringify({ id: idOf(index), to: [recipientOf(index)], suppressed: [] }),
  };
}

/** A lookup of the message sent before. */
function lookup(index: number): object {
  const before = index - 1;
  const at = new Date(timeOf(before)).toISOString();
  const unset = {
    scheduled_at: null,
    delivered_at: null,
    bounced_at: null,
    complained_at: null,
    bounce: null,
  };
  return {
    ...exchange(index, "GET", `/${idOf(before)}`),
    status: 200,
    responseBody: JSON.stringify({
      id: idOf(before),
      ...sent(before),
      ...unset,
      status: "sent",
      status_description: "Sent",
      sent_at: at,
      events: [{ type: "sent", at, detail: null }],
    }),
  };
}
