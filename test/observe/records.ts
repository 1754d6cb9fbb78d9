import { accepted, exchange, message } from "./samples.ts";

export const base = "https://api.example.com/email";
export const right = exchange("POST", "/api/v1/emails", { sent: message, ...accepted("msg_a") });
export const wrong = exchange("POST", "/api/v1/emails", {
  sent: { ...message, to: "ada@readers.example" },
  ...accepted("msg_b"),
});

/** An exchange as a line of NDJSON. */
export const line = ({ path, ...one }: typeof right): string => JSON.stringify({ ...one, url: base + path });

/** An exchange as an entry of an HTTP archive. */
export const entry = (
  {
    path,
    requestHeaders,
    requestBody,
    responseHeaders,
    responseBody,
    startedAt,
    milliseconds,
    ...one
  }: typeof right,
  url = base,
) => ({
  startedDateTime: new Date(startedAt ?? 0).toISOString(),
  time: milliseconds,
  request: {
    method: one.method,
    url: url + path,
    headers: Object.entries(requestHeaders).map(([name, value]) => ({ name, value })),
    postData: { mimeType: "application/json", text: requestBody },
  },
  response: {
    status: one.status,
    headers: Object.entries(responseHeaders).map(([name, value]) => ({ name, value })),
    content: {
      size: responseBody.length,
      mimeType: "application/json",
      encoding: "base64",
      text: Buffer.from(responseBody).toString("base64"),
    },
  },
});
/** An HTTP archive. */
export const har = (...entries: object[]): string =>
  JSON.stringify({
    log: { version: "1.2", creator: { name: "entries", version: "[{" }, pages: [{ id: "a" }], entries },
  });
