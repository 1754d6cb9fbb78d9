import { type OperationId, operations } from "../../../generated/operations.ts";
import { isObject, jsonOf } from "../../../lib/objects.ts";
import { decoded } from "../../../lib/text.ts";
import { knownErrorTypes } from "../../response-checks/errors.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import { brief, shown } from "../../text.ts";
import type { CallError, Reply } from "../driver/protocol.ts";
import type { WireRequest } from "../service/recording-server.ts";
import { differencesBetween } from "./compare.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { requirementOf } from "./reply-checks.ts";
import { jsonIn } from "./request-checks.ts";

/** Two values with the same texts where each is the client's own one of a pair. */
export type Alike = (own: unknown, other: unknown) => [own: unknown, other: unknown];

/** Something that both clients do in a call, with the requirements that are about it: a text, or JSON. */
interface Fact {
  ids: readonly string[];
  title: string;
  found: unknown;
  expected: unknown;
  /** Default: both texts. */
  nameOf?: NameOf;
}

/** Names the difference between two texts, the same wherever its cause is the same, and says what differs here; "" for the whole. */
type NameOf = (found: string, expected: string) => [name: string, ...at: string[]];

/**
 * Compares the requests and the replies of the same call of two clients. A difference with the same cause has the same title in every call, and
 * one failure for each thing that differs.
 */
export function* compareCalls(
  own: RecordedCall,
  other: RecordedCall,
  alike: Alike,
): Generator<ResponseFinding> {
  const line =
    own.wire.length === 0 ? `, in the call ${shown(own.call, 300)}, with ${endingOf(own.reply)}` : "";
  for (const { ids, title, nameOf, ...values } of factsOf(own, other, alike)) {
    const [found, expected] = alike(values.found, values.expected);
    const changes = changesBetween(found, expected, nameOf);
    if (changes.length === 0) yield { ids, title };
    const places = new Map(changes.map((change) => [`${change.name} ${change.at}`, change]));
    for (const { name, ...failure } of places.values())
      yield { ids, title: `${title}: ${name}`, failure: { ...failure, found: failure.found + line } };
  }
}

function changesBetween(found: unknown, expected: unknown, nameOf: NameOf = (...two) => [both(...two), ""]) {
  if (typeof found === "string" && typeof expected === "string") {
    const [name, ...places] = nameOf(found, expected);
    return found === expected ? [] : places.map((at) => ({ name, at, expected, found }));
  }
  const differences = [...differencesBetween(expected, found)];
  // An empty object can be one of many properties by chance.
  const isByChance = [expected, found].some((one) => shown(one) === "{}") && differences.length > 3;
  const wrappersIn = (outer: unknown, is: string, differ: (inner: unknown) => typeof differences) =>
    Object.entries(isObject(outer) && !isByChance ? outer : {})
      .map(([name, value]) => ({ name: `it ${is} wrapped in \`${name}\``, inner: differ(value) }))
      // A difference of the whole value, such as its type, has no path.
      .filter(({ inner }) => inner[0]?.path !== "" && 2 * inner.length < differences.length);
  const [wrapper] = [
    ...wrappersIn(found, "is", (inner) => [...differencesBetween(expected, inner)]),
    ...wrappersIn(expected, "is not", (inner) => [...differencesBetween(inner, found)]),
  ].sort((one, other) => one.inner.length - other.inner.length);
  const changes = (wrapper?.inner ?? differences).map(({ path, text, wanted, change }) => {
    const name = /^(is|has) /.test(change) ? `${propertyIn(path)} ${change}` : change;
    return { name, at: placeOf(path) || "JSON", expected: `${path || "JSON"}: ${wanted}`, found: text };
  });
  if (wrapper === undefined) return changes;
  return [{ name: wrapper.name, at: "", expected: shown(expected), found: shown(found) }, ...changes];
}

const both = (found: string, expected: string): string =>
  `${brief(found, 60)} in place of ${brief(expected, 60)}`;

/** A path without indexes and names that are data. */
const placeOf = (given: string): string =>
  given
    .replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, "*")
    .replace(/(?<=(^|\.)(tags|fields|variables|headers)\.).*$/s, "*");

/** The property at a path, wherever it is: that of an item is the array. */
function propertyIn(path: string): string {
  const place = placeOf(path);
  const own = place.split(".").slice(place.endsWith(".*") ? -2 : -1);
  return own.join(".") || "it";
}

/** What follows from another response is no difference of its own, nor is what follows from another end. */
function factsOf(own: RecordedCall, other: RecordedCall, alike: Alike): Fact[] {
  // How often a client retries until the suite waits no more is a matter of time.
  const most = own.reply && other.reply ? Number.POSITIVE_INFINITY : 2;
  const [found, expected] = [own, other].map(({ wire }) => String(Math.min(wire.length, most)));
  const fewer: NameOf = (...two) => [Number(two[0]) < Number(two[1]) ? "fewer" : "more", both(...two)];
  const facts: Fact[] = [
    { ids: ["ERR-15"], title: "sends the same number of requests", nameOf: fewer, found, expected },
    ...own.wire.flatMap(({ request }, index) => {
      const otherRequest = other.wire[index]?.request;
      return otherRequest === undefined ? [] : factsOfRequests(request, otherRequest, own.call.operation);
    }),
  ];
  const responses = [own, other].map(({ wire }) => wire.at(-1)?.response);
  const [response, otherResponse] = responses.map((one) => [one?.status, jsonOf(String(one?.body))]);
  if (differencesBetween(...alike(response, otherResponse)).next().value) return facts;
  const endings = { found: endingOf(own.reply), expected: endingOf(other.reply) };
  facts.push({ ids: ["ERR-2"], title: "ends in the same way", ...endings });
  if (endings.found !== endings.expected || own.reply === undefined || other.reply === undefined)
    return facts;
  return [...facts, ...factsOfReplies(own.reply, other.reply, requirementOf(own.call.operation))];
}

function factsOfRequests(own: WireRequest, other: WireRequest, operation: OperationId): Fact[] {
  const [found, expected] = [own, other].map(pathOf);
  const nameOf: NameOf = (one, another) => pathChange(one, another, operations[operation].path);
  const fact = (id: string, title: string, of: (one: WireRequest) => unknown): Fact => ({
    ...{ ids: [id], title, found: of(own), expected: of(other) },
  });
  const header = (id: string, of: (one: WireRequest) => object): Fact =>
    fact(id, "sends the same headers", (one) => withoutNull(of(one)));
  return [
    { ids: ["GEN-1"], title: "sends the same method and path", found, expected, nameOf },
    header("AUTH-1", ({ headers: { authorization } }) => ({ authorization })),
    header("GEN-5", ({ headers: { accept } }) => ({ accept })),
    header("GEN-3", ({ headers }) => ({ "content-type": mediaTypeOf(headers["content-type"]) })),
    // A client creates another one in each run.
    header("IDEM-5", ({ headers }) => ({ "idempotency-key": headers["idempotency-key"] && "a key" })),
    fact("GEN-3", "sends the same body", ({ body }) =>
      body.length === 0 ? undefined : (jsonIn(body) ?? "no JSON"),
    ),
  ];
}

const pathOf = ({ method, target }: WireRequest): string =>
  `${method} ${target.replaceAll(/%[\da-f]{2}/gi, (code) => code.toUpperCase())}`;

/** The charset of JSON says nothing. */
const mediaTypeOf = (type = ""): string | undefined => {
  const parts = type.split(";").map((part) => part.trim().toLowerCase());
  return parts.filter((part) => !/^charset="?utf-8"?$/.test(part)).join("; ") || undefined;
};

/** What differs in two methods and paths: the method, how the path is encoded, or the first part that is another one. */
function pathChange(found: string, expected: string, template: string): ReturnType<NameOf> {
  const [ownMethod, ownPath = ""] = found.split(" ");
  const [method, path = ""] = expected.split(" ");
  if (ownMethod !== method) return [`${ownMethod} in place of ${method}`, ""];
  if ([ownPath, decoded(ownPath)].some((one) => one === path || one === decoded(path))) {
    const [own = [], other = []] = [ownPath, path].map((text) => text.match(/%..|./g) ?? []);
    const pairs = own.flatMap((one, index) => (one === other[index] ? [] : [both(one, other[index] ?? "")]));
    const which = ownPath.length < path.length ? "fewer" : "more";
    return [`encodes ${which} characters`, ...new Set(pairs)];
  }
  const [own = [], other = [], names = []] = [ownPath, path, template].map((text) => text.split("/"));
  if (own.length !== other.length) return ["another number of segments", ""];
  const at = other.findIndex((segment, index) => segment !== own[index]);
  const name = names[at] ?? "";
  return [name.startsWith("{") ? `another ${name}` : both(own[at] ?? "", other[at] ?? ""), ""];
}

function endingOf(reply: Reply | undefined): string {
  if (reply === undefined) return "no reply";
  return "result" in reply ? "a result" : `an error of the kind ${reply.error.kind}`;
}

/** In titles of differences between errors whose type the document does not have. */
export const ofUnknownType = " of an unknown type";

function factsOfReplies(own: Reply, other: Reply, id: string): Fact[] {
  if ("result" in own && "result" in other) {
    const [found, expected] = [withoutNull(own.result), withoutNull(other.result)];
    return [{ ids: [id], title: "returns the same result", found, expected }];
  }
  if ("result" in own || "result" in other) return [];
  const types = [own, other].flatMap(({ error }) => error.type ?? []);
  const isKnown = types.length === 0 || types.some((type) => knownErrorTypes.has(type));
  const title = `returns the same error${isKnown ? "" : ofUnknownType}`;
  const fact = (ids: string[], name: string, of: (error: CallError) => unknown): Fact => {
    const [found, expected] = [own, other].map(({ error }) => withoutNull({ [name]: of(error) }));
    return { ids, title, found, expected };
  };
  // A client that loses all of it does not read it.
  const isLost = types.length === 1 && [own, other].some(({ error }) => objectOf(error) === undefined);
  const parts = isLost
    ? [fact(Object.values(errorIds), "error object", objectOf)]
    : (["type", "fields", "requestId"] as const).map((name) =>
        fact([errorIds[name]], name, (error) => objectOf(error)?.[name]),
      );
  return [fact(["ERR-2"], "status", ({ status }) => status), ...parts];
}

const errorIds = { type: "ERR-2", fields: "ERR-4", requestId: "ERR-5" };

/** What a client has read of an error object, if anything. Whether no fields are an empty object is up to the driver. */
function objectOf({ type, fields, requestId }: CallError) {
  const own = fields && Object.keys(fields).length > 0 ? fields : null;
  return type || own || requestId ? { type, fields: own, requestId: requestId && "an id" } : undefined;
}

/** Whether a null property is written is up to the driver. */
const withoutNull = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_name, one: unknown) => (one === null ? undefined : one));
