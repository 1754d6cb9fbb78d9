import { createReadStream } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Settings } from "../../../contract/engine/settings.ts";
import { recordTo } from "../../../scripts/observe/observe-upstream.ts";
import { readHar } from "../../../scripts/observe/read-har.ts";
import { readNdjson } from "../../../scripts/observe/read-traffic.ts";
import { shuffled } from "../samples.ts";
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

function chrome(one: Recorded, precision: Precision) {
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
}

/** How tools write an exchange. */
export const forms: Record<string, Form> = {
  chrome,
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
  // Chrome's over one connection of HTTP/2, without the bodies of every third exchange, and in any order.
  incomplete: (one, precision) => {
    const { request, response, ...entry } = chrome(one, precision);
    const isBare = (one.startedAt ?? 0) % 3 < 1;
    return {
      ...entry,
      connection: "1",
      request: { ...request, httpVersion: "h2", ...(isBare && { postData: undefined, bodySize: -1 }) },
      response: { ...response, ...(isBare && { content: { size: 0 }, bodySize: -1 }) },
    };
  },
};

const creators: Record<string, string> = { firefox: "Firefox", safari: "WebKit Web Inspector" };

/** The exchanges of an archive in a form. */
export function fromArchive(traffic: readonly Recorded[], name: string, precision: Precision) {
  const entries = traffic.map((one) => forms[name]?.(one, precision));
  const log = { version: "1.2", creator: { name: creators[name] ?? name }, entries };
  if (name === "incomplete") log.entries = shuffled(entries);
  return [...readHar(JSON.stringify({ log }), "a.har")];
}

/** The same in a record of the proxy, with names of the keys' roles if they are given. */
export async function fromRecording(
  traffic: readonly Recorded[],
  { precision, file, keys = {} }: { precision: Precision; file: string; keys?: Settings["keys"] },
) {
  const recording = await recordTo(file, keys);
  const step = precisions[precision];
  const cut = (value = 0, to = step): number => (step === 0.001 ? value : Math.floor(value / to) * to);
  for (const { socket: _, ...one } of traffic)
    recording.write({ ...one, startedAt: cut(one.startedAt), milliseconds: cut(one.milliseconds, 1) });
  await recording.close();
  return Array.fromAsync(readNdjson(createReadStream(file, "utf8"), file));
}
