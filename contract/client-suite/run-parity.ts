import type { OperationId } from "../../generated/operations.ts";
import { isTree, jsonOf, mapValues } from "../../lib/objects.ts";
import { Observations } from "../engine/outcome.ts";
import { outcomeOf } from "../engine/run-case.ts";
import { redactor } from "../engine/secrets.ts";
import type { PlannedCase } from "../plan.ts";
import { headingOf } from "../report/result.ts";
import { knownErrorTypes } from "../response-checks/errors.ts";
import { findingOf, type ResponseFinding } from "../response-checks/finding.ts";
import { brief, shown } from "../text.ts";
import type { Reply, StartDriver } from "./driver/protocol.ts";
import { type ClientTester, usualTimeout } from "./engine/client-tester.ts";
import { differencesBetween, isTime } from "./engine/compare.ts";
import type { RecordedCall } from "./engine/recorded-call.ts";
import { requirementOf } from "./engine/reply-checks.ts";
import { jsonIn } from "./engine/request-checks.ts";
import { type ClientRunOptions, type EndedCase, runClient } from "./run-client.ts";
import type { WireRequest } from "./service/recording-server.ts";

/**
 * Runs test cases on two clients, one after the other, and compares their requests, results and errors: a requirement passes if both do the same
 * where it is about.
 * @throws DriverError if a driver does not start
 */
export async function runParity(options: ClientRunOptions, startOther: StartDriver) {
  const others = new Map<PlannedCase<ClientTester>, EndedCase>();
  const { capabilities: other } = await runClient({
    ...options,
    startDriver: startOther,
    onEnd: (planned, ended) => others.set(planned, ended),
  });
  const observed = new Observations();
  const keys = new Set<string>();
  const { capabilities } = await runClient({
    ...options,
    onEnd: (planned, ended) => {
      const otherEnded = others.get(planned) as EndedCase;
      for (const { tester } of [ended, otherEnded]) keys.add(tester.service.key);
      compareCase(observed, ended, otherEnded);
    },
  });
  for (const operation of other.operations) {
    const has = capabilities.operations.includes(operation);
    const failure = { expected: operation, found: "no such operation" };
    const ids = [requirementOf(operation as OperationId)];
    observed.note(undefined, { ids, title: "has the operation", ...(!has && { failure }) });
  }
  const redact = redactor([...keys]);
  const check = { ids: [], title: "both clients do the same", tags: [] };
  const outcome = await outcomeOf(observed, { check, testCase: { title: "" }, redact }, async () => {});
  for (const one of outcome.responseChecks) one.title = redact(one.title);
  const client = `${capabilities.client} compared with ${other.client}`;
  return { capabilities: { ...capabilities, client }, outcomes: [outcome] };
}

/** Compares what two clients did in a test case, as long as it makes the same calls. */
function compareCase(observed: Observations, own: EndedCase, other: EndedCase): void {
  const pairs = new Pairs();
  pairs.note(own.tester.service.key, other.tester.service.key);
  const [found, expected] = [own.outcome, other.outcome];
  if (found.verdict !== expected.verdict && [found.verdict, expected.verdict].includes("error")) {
    const failure = { expected: expected.reason ?? "no error", found: found.reason ?? "no error" };
    observed.note(undefined, { ids: found.ids, title: "the driver does not fail", failure });
  }
  const [ownCalls, otherCalls] = [own, other].map(({ tester }) =>
    tester.calls.map(({ call }) => call.operation).join(),
  );
  if (ownCalls !== otherCalls)
    observed.information.add(`${headingOf(found)}: after the first different call, calls are not compared`);
  for (const [index, called] of own.tester.calls.entries()) {
    const otherCall = other.tester.calls[index];
    if (otherCall?.call.operation !== called.call.operation) return;
    if (isWaiting(called) !== isWaiting(otherCall)) {
      observed.information.add(`${headingOf(found)}: one client still waited, and is not compared`);
      return;
    }
    pairs.note(called.call, otherCall.call);
    for (const [at, { response }] of called.wire.entries()) {
      const { headers, body } = otherCall.wire[at]?.response ?? {};
      pairs.note(response?.headers, headers);
      pairs.note(jsonOf(String(response?.body)), jsonOf(String(body)));
    }
    observed.requests += called.wire.length;
    // What the suite finds in a request is no cause of a difference.
    for (const one of called.exchanges) one.faults = [];
    observed.note(called.exchanges.at(-1), ...compareCalls(called, otherCall, pairs));
  }
}

/** Whether a client may only not have replied yet: in a short time, its random pauses before retries decide. */
const isWaiting = ({ reply, milliseconds }: RecordedCall): boolean =>
  reply === undefined && milliseconds < usualTimeout;

/** Something that a client does in a call, with the requirement that is about it: a text, or JSON. */
type Fact = readonly [id: string, title: string, value: unknown];

const path = "sends the same method and path";
const authorization = "sends the same header authorization";
const ending = "ends in the same way";
const result = "returns the same result";
const errorType = "returns errors with the same type";

const maxValue = 60;

/** Compares the requests and the replies of the same call of two clients. */
function* compareCalls(own: RecordedCall, other: RecordedCall, pairs: Pairs): Generator<ResponseFinding> {
  // How often a client retries until the suite waits no more is a matter of time.
  const most = own.reply && other.reply ? Number.POSITIVE_INFINITY : 2;
  const line = own.wire.length === 0 ? `, in the call ${shown(own.call, 300)}` : "";
  const others = Map.groupBy(factsOf(other, most), ([, title]) => title);
  for (const [id, title, value] of factsOf(own, most)) {
    const otherFact = others.get(title)?.shift();
    if (otherFact === undefined) continue;
    const [found, expected] = pairs.alike(value, otherFact[2]);
    const differences = [...differencesBetween(expected, found)];
    if (differences.length === 0) yield { ids: [id], title };
    // What follows from another end is no difference of its own.
    else if (title === ending) others.clear();
    // Failures with the same title are one finding of a report: it names values of which there are few.
    const isListed = typeof found === "string" && title !== path && title !== authorization;
    const values = [found, expected].map((one) => (typeof one === "string" ? nameIn(title, one) : "JSON"));
    const nameOf = (place: string): string => (isListed ? values.join(" in place of ") : placeOf(place));
    for (const [name, { path, text, wanted }] of new Map(differences.map((one) => [nameOf(one.path), one])))
      yield findingOf([id], name === "" ? title : `${title}: ${name}`, false, {
        expected: typeof expected === "string" ? expected : `${path || "JSON"}: ${wanted}`,
        found: (typeof found === "string" ? found : text) + line,
        ...(title === result && { fault: { cause: `Results differ${name && ` in ${name}`}` } }),
      });
  }
}

/** A value in a title. The service may add error types: what a client makes of one, it makes of all. */
const nameIn = (title: string, value: string): string =>
  title !== errorType || value === "none" || knownErrorTypes.has(value)
    ? brief(value, maxValue)
    : "an unknown type";

/** A path without indexes and names that are data. */
const placeOf = (given: string): string =>
  given
    .replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, "*")
    .replace(/(?<=(^|\.)(tags|fields|variables|headers)\.).*$/s, "*");

const factsOf = ({ call, reply, wire }: RecordedCall, most: number): Fact[] => [
  ["ERR-15", "sends the same number of requests", String(Math.min(wire.length, most))],
  ...wire.flatMap(({ request }) => factsOfRequest(request)),
  ["ERR-2", ending, endingOf(reply)],
  ...(reply === undefined ? [] : factsOfReply(reply, requirementOf(call.operation))),
];

function factsOfRequest({ method, target, headers, body }: WireRequest): Fact[] {
  const { accept, "content-type": type, "idempotency-key": key } = headers;
  // The charset of JSON says nothing.
  const parts = type?.toLowerCase().split(";") ?? [];
  const media = parts
    .map((part) => part.trim())
    .filter((part) => !/^charset="?utf-8"?$/.test(part))
    .join(";");
  return [
    ["GEN-1", path, `${method} ${target.replaceAll(/%[\da-f]{2}/gi, (code) => code.toUpperCase())}`],
    ["AUTH-1", authorization, headers.authorization ?? "none"],
    ["GEN-5", "sends the same header accept", accept ?? "none"],
    ["GEN-3", "sends the same header content-type", media || "none"],
    // A client creates another one in each run.
    ["IDEM-5", "sends an idempotency key", key === undefined ? "none" : "a key"],
    ["GEN-3", "sends the same body", body.length === 0 ? "none" : (jsonIn(body) ?? "no JSON")],
  ];
}

function endingOf(reply: Reply | undefined): string {
  if (reply === undefined) return "no reply";
  return "result" in reply ? "a result" : `an error of the kind ${reply.error.kind}`;
}

function factsOfReply(reply: Reply, id: string): Fact[] {
  if ("result" in reply) return [[id, result, withoutNull(reply.result)]];
  const { status, type, fields, requestId } = reply.error;
  return [
    ["ERR-2", "returns errors with the same status", String(status ?? "none")],
    ["ERR-2", errorType, type ?? "none"],
    ["ERR-4", "returns errors with the same fields", fields ?? {}],
    ["ERR-5", "returns errors with a request id", requestId == null ? "none" : "an id"],
  ];
}

/** Whether a null property is written is up to the driver. */
const withoutNull = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_name, one: unknown) => (one === null ? undefined : one));

/** A time by its second, because clients write the same one in different ways. */
const keyOf = (text: string): string =>
  isTime(text) ? `second ${Math.floor(Date.parse(text) / 1000)}` : text;

/** Values that differ between two runs whatever the clients do: keys, ids, times and what else makes the calls of a run unique. */
class Pairs {
  readonly #own = new Map<string, string>();
  readonly #other = new Map<string, string>();

  /** Notes the texts at the same places of two values, of which one is of either run. */
  note(own: unknown, other: unknown): void {
    if (typeof own === "string" && typeof other === "string" && own !== other)
      for (const change of [keyOf, encoded]) {
        const name = isTime(other) ? "a time of the service" : other;
        this.#own.set(change(own), name);
        this.#other.set(change(other), name);
      }
    if (!isTree(own) || !isTree(other)) return;
    for (const name of Object.keys(own)) if (Object.hasOwn(other, name)) this.note(own[name], other[name]);
  }

  /** Two values with the same texts where each has its own one of a pair. */
  alike(own: unknown, other: unknown): [own: unknown, other: unknown] {
    return [replaced(own, this.#own), replaced(other, this.#other)];
  }
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A value in which texts, and their words and segments of paths, are replaced. */
function replaced(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return names.get(keyOf(value)) ?? value.replaceAll(/[^ /]+/g, (part) => names.get(part) ?? part);
  if (Array.isArray(value)) return value.map((one) => replaced(one, names));
  return isTree(value) ? mapValues(value, (one) => replaced(one, names)) : value;
}
