import { gzipSync } from "node:zlib";
import { readHar } from "../../../scripts/observe/read-har.ts";
import type { TrafficExchange } from "../../../scripts/observe/traffic.ts";
import type { Recorded } from "./traffic.ts";

/** In milliseconds. */
export const precisions = { microseconds: 0.001, milliseconds: 1, seconds: 1000 } as const;
export type Precision = keyof typeof precisions;

/** A time as it is written, cut off. */
function timeText(at: number, precision: Precision, zone = "Z"): string {
  const shifted = zone === "+01:00" ? at + 3_600_000 : at;
  const whole = new Date(Math.floor(shifted)).toISOString().slice(0, -1);
  if (precision === "seconds") return whole.slice(0, -4) + zone;
  const micro = String(Math.floor((shifted % 1) * 1000)).padStart(3, "0");
  return whole + (precision === "microseconds" ? micro : "") + zone;
}

const pairs = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const isGet = ({ method }: Recorded): boolean => method === "GET" || method === "HEAD";
const typeOf = (headers: Record<string, string>): string => headers["content-type"] ?? "";

/** The parts that all forms have in common. */
function entryOf(one: Recorded, startedDateTime: string) {
  const { method, url, requestHeaders, requestBody, status, responseHeaders, responseBody } = one;
  const bodySize = Buffer.byteLength(responseBody);
  return {
    startedDateTime,
    request: {
      method,
      url,
      httpVersion: "HTTP/1.1",
      headers: pairs(requestHeaders),
      queryString: [],
      bodySize: requestBody?.length ?? 0,
    },
    response: {
      status,
      httpVersion: "HTTP/1.1",
      headers: pairs(responseHeaders),
      content: { size: bodySize, mimeType: typeOf(responseHeaders), text: responseBody } as Record<
        string,
        unknown
      >,
      bodySize,
    },
    cache: {},
  };
}

const textOf = (one: Recorded, more: object = {}) =>
  one.requestBody === undefined
    ? {}
    : { postData: { mimeType: typeOf(one.requestHeaders), text: one.requestBody, ...more } };

type Form = (one: Recorded, precision: Precision) => object;

/** How tools write an exchange. */
export const forms: Record<string, Form> = {
  chrome: (one, precision) => {
    const { request, ...entry } = entryOf(one, timeText(one.startedAt ?? 0, precision));
    const { milliseconds: time = 0 } = one;
    return {
      _connectionId: String(one.socket + 100),
      _resourceType: "fetch",
      ...entry,
      request: { ...request, ...textOf(one) },
      connection: String(one.socket + 100),
      time,
      timings: { blocked: 0, dns: -1, ssl: -1, connect: -1, send: 0, wait: time, receive: 0 },
    };
  },
  firefox: (one, precision) => {
    const { request, response, ...entry } = entryOf(one, timeText(one.startedAt ?? 0, precision, "+01:00"));
    const wait = Math.floor(one.milliseconds ?? 0);
    return {
      ...entry,
      request: { ...request, ...textOf(one, { params: [] }) },
      // Of a type that it takes for binary, the text is as it is all the same.
      response: { ...response, content: { ...response.content, encoding: "base64" } },
      timings: { blocked: 0, dns: 0, ssl: 0, connect: 0, send: 0, wait, receive: 0 },
      time: wait,
      // That of the server.
      connection: new URL(one.url).port || "443",
    };
  },
  safari: (one, precision) => {
    const { request, response, ...entry } = entryOf(one, timeText(one.startedAt ?? 0, precision));
    const text = Buffer.from(one.responseBody).toString("base64");
    return {
      ...entry,
      request: {
        ...request,
        bodySize: -1,
        ...(isGet(one) ? { postData: { mimeType: "", text: "" } } : textOf(one)),
      },
      response: { ...response, bodySize: -1, content: { ...response.content, encoding: "base64", text } },
      time: one.milliseconds,
      timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: one.milliseconds, receive: 0 },
      connection: String(one.socket + 1),
      _fetchType: "Network Load",
    };
  },
  mitmproxy: (one, precision) => {
    const { request, response, ...entry } = entryOf(one, timeText(one.startedAt ?? 0, precision, "+00:00"));
    const { milliseconds = 0, responseBody } = one;
    const compressed = gzipSync(responseBody).length;
    const compression = Buffer.byteLength(responseBody) - compressed;
    const parts = [0.2, 0.7, 0.1].map((share) => Math.floor(share * milliseconds));
    const [send = 0, wait = 0, receive = 0] = parts;
    return {
      ...entry,
      request: { ...request, ...(isGet(one) ? {} : textOf(one, { params: [] })) },
      response: {
        ...response,
        headers: [...response.headers, { name: "Content-Encoding", value: "gzip" }],
        content: { ...response.content, size: compressed, compression },
        bodySize: compressed,
      },
      time: send + wait + receive,
      timings: { connect: -1, ssl: -1, send, receive, wait },
    };
  },
};

/** The exchanges of an archive in a form. */
export function fromArchive(
  traffic: readonly Recorded[],
  form: Form,
  precision: Precision,
): TrafficExchange[] {
  const entries = traffic.map((one) => form(one, precision));
  return [...readHar(JSON.stringify({ log: { version: "1.2", entries } }), "a.har")].filter(
    (one) => typeof one !== "string",
  );
}
