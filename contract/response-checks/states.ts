import type { LifecycleRecord, PropertyStates } from "../../generated/schema-types.ts";
import { isObject } from "../../lib/objects.ts";
import { document, nameOf, type Schema } from "../document.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { shown } from "../text.ts";
import type { DocumentedResponse } from "./documented.ts";
import { nodesOf, validators } from "./encoded.ts";
import { describeTime, timeFault } from "./faults.ts";
import { comparing, type Failure, type Findings, findingOf, type ResponseFinding } from "./finding.ts";

export const compare = comparing({
  sent: ["LOOK-15", "an event of type sent has the time of sent_at"],
  bounced: ["DELIV-6", "an event of type bounced has the time of bounced_at"],
  order: ["LOOK-15", "no event of type bounced is before the first one of type sent"],
  utc: ["GEN-7", "has times in UTC"],
});

type Values = Record<string, unknown>;

const tables = Object.values(document["x-lifecycles"]).flatMap(({ records = [] }) => records);

/** The properties that a state sets or clears, in every record of a success. */
export function stateFindings(exchange: Exchange, { schema }: DocumentedResponse): ResponseFinding[] {
  if (schema === undefined || !isSuccess(exchange)) return [];
  return nodesOf(schema, exchange.json).flatMap(({ schema: own, value, around }) =>
    isObject(value)
      ? tablesOf(own).flatMap((table) =>
          table.properties.flatMap((row) => rowFindings(table, row, value, { ...around, ...value })),
        )
      : [],
  );
}

function rowFindings(table: LifecycleRecord, row: PropertyStates, record: Values, known: Values) {
  const { property, set = [], unset = [], unless = {} } = row;
  const [status, value] = [String(record[table.state]), record[property]];
  const isSet = set.includes(status);
  if (!isSet && unset !== "all" && !unset.includes(status)) return [];
  // A missing property is reported already.
  if (value === undefined || Object.entries(unless).some(([name, not]) => mayBe(known[name], not))) return [];
  const isRight = (value !== null) === isSet;
  return [
    findingOf(row["x-encodes"] ?? [], titles.get(row) ?? "", isRight, () => failureOf(table, row, known)),
  ];
}

/** A property that is set or null in the wrong state. If it is right in its state, what allows it there is wrong. */
function failureOf({ properties, state }: LifecycleRecord, row: PropertyStates, known: Values): Failure {
  const { property, set, unless = {} } = row;
  const status = String(known[state]);
  const place = `in a record with ${state} ${status}`;
  const isSet = set?.includes(status) === true;
  const expected = `${property} ${isSet ? "set" : "null"} ${place}`;
  const found = `${property} ${JSON.stringify(known[property])}`;
  const [name, other] = Object.entries(unless)[0] ?? [];
  if (name === undefined) {
    const cause = `${property} is ${isSet ? "null" : "set"} where it must not be`;
    return { expected, found, fault: { cause, names: [property] } };
  }
  const isRight = properties.some((one) => one.property === property && one.set?.includes(status));
  const message = validators[nameOf({ $ref: String(other) }) ?? ""]?.errors?.[0]?.message;
  if (!isRight || message === undefined) return { expected, found };
  const fault = { cause: `${name} ${message}`, names: [name] };
  return { expected: `${fault.cause} ${place}`, found: `${name} ${JSON.stringify(known[name])}`, fault };
}

/** Whether a value, if it is known, is another one or valid under the schema at a pointer. */
function mayBe(value: unknown, other: unknown): boolean {
  if (value === undefined || value === other) return true;
  if (typeof other !== "string" || !other.startsWith("#/")) return false;
  return validators[nameOf({ $ref: other }) ?? ""]?.(value) ?? true;
}

function titleOf(state: string, { property, set, unset, unless = {} }: PropertyStates): string {
  const rules = [
    ...(set === undefined ? [] : [`${property} is set if ${state} is ${set.join(", ")}`]),
    ...(unset === "all" ? [`${property} is null for any ${state}`] : []),
    ...(Array.isArray(unset) ? [`${property} is null if ${state} is ${unset.join(", ")}`] : []),
  ];
  const exceptions = Object.entries(unless).map(
    ([name, not]) => `unless ${name} is ${String(not).replace(/^#.*\//, "a ")}`,
  );
  return [rules.join("; "), ...exceptions].join(", ");
}

/** What each row of the tables requires, as the title of its comparison. */
export const titles: ReadonlyMap<PropertyStates, string> = new Map(
  tables.flatMap(({ state, properties }) => properties.map((row) => [row, titleOf(state, row)] as const)),
);

const tablesOf = (schema: Schema): LifecycleRecord[] =>
  tables.filter((table) => nameOf(schema) === nameOf({ $ref: table.schema }));

const minute = 60_000;

/** What a message record says twice agrees: when it was sent and when it bounced. Several recipients may have many events. */
export function eventTimesAgree(exchange: Exchange): Findings {
  const { events, sent_at, bounced_at } = (isObject(exchange.json) ? exchange.json : {}) as Values;
  if (!isSuccess(exchange) || exchange.request.operation !== "getEmail" || !Array.isArray(events)) return [];
  const timesOf = (type: string): number[] =>
    events
      .filter((event) => event?.type === type && typeof event.at === "string")
      .map(({ at }) => Date.parse(at));
  const [sent, bounced] = [timesOf("sent"), timesOf("bounced")];
  const has = (times: number[], at: unknown): boolean =>
    times.some((time) => Math.abs(time - Date.parse(String(at))) <= minute);
  // Some servers keep whole seconds.
  const first = (times: number[]): number => Math.floor(Math.min(...times) / 1000);
  const compared = (name: keyof typeof compare, passes: boolean): ResponseFinding =>
    compare[name](passes, compare[name].title, shown({ sent_at, bounced_at, events }, 200));
  return [
    sent.length > 0 && !!sent_at && compared("sent", has(sent, sent_at)),
    bounced.length > 0 && !!bounced_at && compared("bounced", has(bounced, bounced_at)),
    sent.length * bounced.length > 0 && compared("order", first(sent) <= first(bounced)),
  ];
}

/** Every time in a success response is in UTC. */
export function timesAreInUtc(exchange: Exchange): ResponseFinding | false {
  const times = isSuccess(exchange) ? timesIn(exchange.json) : [];
  const others = times.filter(([, one]) => !/(Z|[+-]00:?00)$/i.test(one));
  const found = [...new Map(others)].map((one) => describeTime(...one)).join("; ");
  const fault = () => timeFault(others.map(([other]) => other));
  return times.length > 0 && compare.utc(others.length === 0, "times in UTC, with Z", found, fault);
}

/** Objects whose property names users choose: a name like that of a time means nothing there. */
const chosen = ["fields", "tags"];

/** The times in a body with their names: `at` or `..._at`. */
function timesIn(value: unknown, found: [string, string][] = []): [string, string][] {
  if (typeof value !== "object" || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (chosen.includes(name) && !Array.isArray(inner)) continue;
    if (typeof inner === "string" && (name === "at" || name.endsWith("_at"))) found.push([name, inner]);
    else timesIn(inner, found);
  }
  return found;
}
