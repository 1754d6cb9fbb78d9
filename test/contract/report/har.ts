import type { RecordedExchange } from "../engine/outcome.ts";
import { jsonText } from "./json.ts";
import type { ContractResult } from "./result.ts";

/** All exchanges that the result keeps, in the order they began in, as an HTTP archive (HAR 1.2). */
export function harReport(result: ContractResult): string {
  const entries = everyExchange(result)
    .sort((one, other) => one.exchange.startedAt - other.exchange.startedAt)
    .map(({ exchange, comment }) => entry(exchange, result.baseUrl, comment));
  const { name, version } = result.tool;
  const log = { version: "1.2", creator: { name, version }, entries };
  return jsonText({ log });
}

interface Commented {
  exchange: RecordedExchange;
  comment: string;
}

/** Each exchange once, though several trials looked at it, with the first law it was made for. */
function everyExchange({ laws, wire }: ContractResult): Commented[] {
  const ofTrials = laws.flatMap(({ ids, law, trials }) =>
    trials.flatMap(({ title, exchanges }) =>
      exchanges.map((exchange) => ({
        exchange,
        comment: [`${ids.join(" ")} ${law}`, title].filter(Boolean).join(": "),
      })),
    ),
  );
  const ofWire = wire.flatMap(({ ids, law, breaches }) =>
    breaches.flatMap(({ exchange }) =>
      exchange === null ? [] : [{ exchange, comment: `${ids.join(" ")} ${law}` }],
    ),
  );
  const seen = new Map<string, Commented>();
  for (const one of [...ofTrials, ...ofWire]) {
    const key = JSON.stringify(one.exchange);
    if (!seen.has(key)) seen.set(key, one);
  }
  return [...seen.values()];
}

function entry(exchange: RecordedExchange, baseUrl: string, comment: string): object {
  const { startedAt, milliseconds, method, path, sent, received } = exchange;
  const url = baseUrl + path;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: milliseconds,
    request: {
      method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(sent.headers),
      queryString: queryOf(url),
      headersSize: -1,
      bodySize: sizeOf(sent.body ?? ""),
      ...(sent.body === null ? {} : { postData: { mimeType: typeOf(sent.headers), text: sent.body } }),
    },
    response: {
      status: received.status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(received.headers),
      content: { size: sizeOf(received.body), mimeType: typeOf(received.headers), text: received.body },
      redirectURL: received.headers.location ?? "",
      headersSize: -1,
      bodySize: sizeOf(received.body),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment,
  };
}

const pairs = (headers: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const typeOf = (headers: Record<string, string>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";

const sizeOf = (text: string): number => Buffer.byteLength(text);

function queryOf(url: string): { name: string; value: string }[] {
  const [, query = ""] = url.split("#")[0]?.split("?") ?? [];
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
