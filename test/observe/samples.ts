import { Coverage } from "../../contract/observe/coverage.ts";
import { observeResult } from "../../contract/observe/observe-result.ts";
import { Observer } from "../../contract/observe/observer.ts";
import type { ObserverOptions } from "../../contract/observe/state.ts";
import { exchangeOf, type ObservedExchange } from "../../contract/observe/subjects.ts";
import { planOf } from "../../contract/plan.ts";
import { diagnose } from "../../contract/report/causes.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import type { SandboxOptions } from "../../sandbox/index.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import type { Interceptor, SandboxContext } from "../mutants/mutant.ts";

const { keys, fixtures } = demoSettings();

/** What the configuration of the demo accounts says, when the traffic has all requests. */
export const withAll: ObserverOptions = { keys, fixtures, isAllTraffic: true };
export const withConfiguration: ObserverOptions = { keys, fixtures };

/** The traffic between the suite and the sandbox, without very large messages. */
export async function suiteTraffic(
  intercept?: (context: SandboxContext) => Interceptor,
  sandbox?: SandboxOptions,
): Promise<ObservedExchange[]> {
  const settings = { ...demoSettings(), sequences: { shorten: false } };
  const exchanges: ObservedExchange[] = [];
  await runOnSandbox({
    plans: [planOf(settings).filter(({ check }) => !check.ids.includes("ATT-13"))],
    settings,
    ...(intercept && { intercept }),
    ...(sandbox && { sandbox }),
    onExchange: (exchange) => exchanges.push(exchange),
  });
  return exchanges;
}

/** An observer that has seen all of the traffic. */
export function observed(traffic: readonly ObservedExchange[], options: ObserverOptions = {}): Observer {
  const observer = new Observer(options);
  for (const exchange of traffic) observer.add(exchange);
  observer.end();
  return observer;
}

/** The kinds of what exchanges cover, with the labels that they lack. */
export function missingAfter(exchanges: readonly ObservedExchange[]): Record<string, readonly string[]> {
  const coverage = new Coverage();
  for (const one of exchanges) coverage.add(exchangeOf(one), one.isCut);
  return Object.fromEntries(coverage.result([]).kinds.map(({ kind, missing }) => [kind, missing]));
}

/** What an observer found, as lines. */
export const failuresOf = ({ tally }: Observer): string[] =>
  [...tally.failures.values()].map(
    ({ ids, expected, found }) => `${ids.join(" ")}: expected ${expected}, found ${found}`,
  );

/** The ids of the requirements that it found a failure of. */
export const failedIds = ({ tally }: Observer): string[] => [
  ...new Set([...tally.failures.values()].flatMap(({ ids }) => ids)),
];

/** The result of what an observer found, for reports with bodies. */
export const resultOfTraffic = (observer: Observer): ContractResult =>
  observeResult(observer, {
    ...{
      profile: "full",
      runId: "1",
      baseUrl: "https://api.example.com",
      startedAt: "2026-11-24T12:00:00.000Z",
    },
    ...{ durationMilliseconds: 0, waitedMilliseconds: 0, requests: observer.counts.exchanges },
    ...{ traffic: { ...observer.counts, ignored: 0, isAllTraffic: false }, showsBodies: true, expected: [] },
  });

/** The entries of a report by cause, each with the requirements that fail, the leading one first. */
export const entriesOf = (observer: Observer): string[] =>
  diagnose(resultOfTraffic(observer)).map(({ ids }) => ids.join(" "));

/** The same items in another order, which the seed decides. */
export function shuffled<Item>(items: readonly Item[], seed = 1): Item[] {
  let state = seed;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return items
    .map((item) => ({ item, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

const start = Date.parse("2026-11-24T12:00:00Z");
let requests = 0;

/** An exchange of a correct server, one second after the one before, with changes. */
export function exchange(
  method: string,
  path: string,
  changes: Partial<Omit<ObservedExchange, "requestBody" | "responseBody">> & {
    sent?: unknown;
    received?: unknown;
  } = {},
): ObservedExchange {
  requests += 1;
  const { sent, received, ...others } = changes;
  const id = `req_${requests}`;
  const isSend = /\/emails(\/batch)?$/.test(path) && method === "POST";
  return {
    startedAt: start + requests * 1000 + 0.5,
    milliseconds: 20,
    method,
    path,
    requestHeaders: {
      authorization: "Bearer key_of_samples",
      ...(sent !== undefined && { "content-type": "application/json" }),
    },
    requestBody: sent === undefined ? undefined : JSON.stringify(sent),
    status: 200,
    responseBody: JSON.stringify(received ?? {}).replace("REQUEST_ID", id),
    ...others,
    responseHeaders: {
      "content-type": "application/json",
      "x-service-request-id": id,
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": "100",
      ...(isSend && {
        "x-service-monthly-quota": "1000000",
        "x-service-monthly-remaining": String(900_000 - requests),
      }),
      ...changes.responseHeaders,
    },
  };
}

/** An error response. */
export const error = (status: number, type: string, fields?: Record<string, string[]>) => ({
  status,
  received: { error: { type, message: "No.", ...(fields && { fields }), request_id: "REQUEST_ID" } },
});

export const message = {
  from: "shop@bakery.example",
  to: ["ada@readers.example"],
  subject: "Hello",
  text: "It works.",
};
export const accepted = (id: string) => ({ status: 202, received: { id, to: message.to, suppressed: [] } });

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
