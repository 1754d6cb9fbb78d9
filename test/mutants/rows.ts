import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import type { Role } from "../../contract/engine/settings.ts";
import { isObject, mapValues } from "../../lib/objects.ts";
import { type Message, withPast } from "./history.ts";
import type { Mutant, MutantResponse, RequirementId } from "./mutant.ts";
import { errorResponse, isSuccess, isUpsert, type Json, objectOf } from "./newsletter.ts";
import { hasCopies, inBatchFrom, isMoved, wasScheduled } from "./past.ts";
import { errorIn, isError, isRequestTo, withError, withHeaders, withKey } from "./requests.ts";

/**
 * A JSON Schema for each property: it must be there, unless its schema is false. A keyword for texts matches texts only, and
 * so on. `has` matches an object with such properties, `hasName`, `hasValue` and `hasItem` one with such a name or value, and a list with such an object.
 */
type Condition = Record<string, object | boolean>;

/** A mutant in the files of `rows/`. It changes requests, or with `status` or `error` responses. */
interface Row {
  /** Operations or products; default: all. */
  of?: Parameters<typeof isRequestTo>[1] | Parameters<typeof isRequestTo>[1][];
  /** Only requests with the key of this role, with any key or with none. */
  key?: Role | "any" | "none";
  /** Only requests with such a body. */
  request?: Condition;
  /** Only requests about messages to which this happened. */
  past?: keyof typeof pasts | (keyof typeof pasts)[];
  /** Only responses with this status. */
  status?: number | "success";
  /** Only error responses with this status and type. */
  error?: string;

  /** Only bodies like this. */
  if?: Condition;
  /** Instead of the body, the objects in a property of it, or the memberships that it has. */
  in?: string;
  /** Only the one at this index, or those from it. */
  at?: number;
  from?: number;
  set?: Json;
  /** Properties that get the value of another one. */
  copy?: Record<string, string>;
  without?: string;
  /** Replaces parts of texts, also of those in a list or an object: a regular expression, and what it becomes. */
  replace?: Record<string, [pattern: string, text: string]>;

  /** Treats requests as having the key of this role. */
  as?: Role;
  /** Responds with this status, type and named properties, without the server. */
  reject?: string;
  /** Another status of a response, and another error type. */
  becomes?: string | number;
  /** Other headers of a response; null removes one. */
  headers?: Record<string, string | null>;
  /** Another body of a response, as JSON or as text. */
  body?: unknown;
  text?: string;
}

/** Rows with properties in common. */
interface Group extends Row {
  /** By requirement and title. */
  mutants: Record<string, Row>;
}

const pasts = {
  moved: isMoved,
  canceled: ({ canceled }: Message) => canceled,
  scheduled: wasScheduled,
  "sent with copies": hasCopies,
  "second in a batch": inBatchFrom(1),
  "third in a batch": inBatchFrom(2),
};

const keywords = {
  array: /Items?$|^contains$/,
  string: /Length$|^minBytes$|^pattern$/,
  object: /Properties$|^has(Name|Value)?$|^required$/,
  number: /imum$/,
};

/** The schema with the type of its keywords. */
function typed(schema: object | boolean): object | boolean {
  const names = Object.keys(schema);
  const type = Object.entries(keywords).find(([, words]) => names.some((name) => words.test(name)))?.[0];
  return typeof schema === "boolean" || type === undefined ? schema : { type, ...schema };
}

const schemaOf = (condition: Condition): object => ({
  type: "object",
  required: Object.keys(condition).filter((name) => condition[name] !== false),
  properties: Object.fromEntries(Object.entries(condition).map(([name, schema]) => [name, typed(schema)])),
});

const ajv = new Ajv2020({ strict: false });
const macros: Record<string, (given: Condition) => object> = {
  has: schemaOf,
  hasItem: (item) => ({ contains: schemaOf(item) }),
  hasName: (name) => ({ not: { propertyNames: { not: name } } }),
  hasValue: (value) => ({ not: { additionalProperties: { not: typed(value) } } }),
};
for (const [keyword, macro] of Object.entries(macros)) ajv.addKeyword({ keyword, macro });
ajv.addKeyword({
  keyword: "minBytes",
  validate: (least: number, text: unknown) => Buffer.byteLength(String(text)) >= least,
});

/** Whether a value is an object with such properties. */
function isLike(condition: Condition | undefined): (value: unknown) => boolean {
  if (condition === undefined) return () => true;
  let validate: ((value: unknown) => boolean) | undefined;
  return (value) => {
    validate ??= ajv.compile(schemaOf(condition));
    return validate(value);
  };
}

/** The texts in a value, changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change));
  return isObject(value) ? mapValues(value, (inner) => mapTexts(inner, change)) : value;
}

/** Changes a body; undefined if it is not one of those that change. */
function changer(
  { at, from = at ?? 0, if: condition, set, copy = {}, without = "", replace = {} }: Row,
  name: string | undefined,
): (body: unknown) => Json | undefined {
  const isAffected = isLike(condition);
  const change = (object: unknown): Json | undefined => {
    if (!isAffected(object)) return undefined;
    const { [without]: _, ...rest } = objectOf(object);
    const copied = Object.entries(copy).map(([to, name]) => [to, objectOf(object)[name]]);
    const replaced = Object.entries(replace)
      .filter(([name]) => name in rest)
      .map(([name, [pattern, text]]) => [
        name,
        mapTexts(rest[name], (found) => found.replace(new RegExp(pattern, "gu"), text)),
      ]);
    return { ...rest, ...set, ...Object.fromEntries([...copied, ...replaced]) };
  };
  if (name === undefined) return change;
  return (body) => {
    const inner = objectOf(body)[name];
    const all = [inner ?? []].flat();
    const changed = all.map((object, index) =>
      index >= from && index <= (at ?? index) ? (change(object) ?? object) : object,
    );
    if (changed.every((object, index) => object === all[index])) return undefined;
    return { ...objectOf(body), [name]: Array.isArray(inner) ? changed : changed[0] };
  };
}

/** Of a text such as `422 invalid_request to`. */
function errorOf(text: string | number): [status: number, type: string, ...fields: string[]] {
  const [status, type = "", ...fields] = String(text).split(" ");
  return [Number(status), type, ...fields];
}

/** The response with another status, error type, headers or text. */
function withOthers({ becomes, headers = {}, text }: Row, response: MutantResponse): MutantResponse {
  const [status, type] = errorOf(becomes ?? response.status);
  const failed =
    errorIn(response) === undefined ? errorResponse(status, type) : withError(response, { type });
  const named = Object.entries(headers).map(([name, value]) => [name, value ?? undefined] as const);
  const other = { ...withHeaders(type === "" ? response : failed, Object.fromEntries(named)), status };
  return text === undefined ? other : { ...other, body: undefined, text };
}

/** Whether a row is about such a response; undefined if it is about requests. */
function isMeantIn({ status, error }: Row): ((response: MutantResponse) => boolean) | undefined {
  if (status === "success") return isSuccess;
  if (status !== undefined) return (response) => response.status === status;
  if (error === undefined) return undefined;
  const [number, type] = errorOf(error);
  return (response) => isError(response, number, type);
}

function mutantOf(requirement: RequirementId, title: string, row: Row): Mutant {
  const [of, past] = [[row.of ?? []].flat(), [row.past ?? []].flat()];
  const isAsked = isLike(row.request);
  const isMeant = isMeantIn(row);
  const isAboutMemberships = row.in === "memberships";
  const changeBody = changer(row, isAboutMemberships ? undefined : row.in);
  const changeLists = changer(row, "lists");
  return withPast(requirement, title, async (request, next, { history, context: { bearer } }) => {
    const message = history.messageOf(request);
    const hasKey = (authorization: string | undefined): boolean => {
      if (row.key === "any" || row.key === "none")
        return (authorization === undefined) === (row.key === "none");
      return row.key === undefined || authorization === bearer(row.key);
    };
    const isAbout =
      (of.length === 0 || isRequestTo(request, ...of)) &&
      hasKey(request.headers.authorization) &&
      past.every((name) => message !== undefined && pasts[name](message, request)) &&
      isAsked(request.body);
    if (!isAbout) return next(request);
    if (isMeant === undefined) {
      const body = changeBody(request.body);
      if (body === undefined) return next(request);
      if (row.reject !== undefined) return errorResponse(...errorOf(row.reject));
      return next(row.as === undefined ? { ...request, body } : withKey(request, bearer(row.as)));
    }
    const response = await next(request);
    const change = isAboutMemberships && !isUpsert(request) ? changeLists : changeBody;
    const body = isMeant(response) ? change(response.body) : undefined;
    if (body === undefined) return response;
    const hasBody = [row.set, row.copy, row.without, row.replace].some((change) => change !== undefined);
    return withOthers(row, {
      ...response,
      ...(hasBody && { body }),
      ...("body" in row && { body: row.body }),
    });
  });
}

const folder = join(import.meta.dirname, "rows");

/** The mutants that are rows. */
export const rowMutants: Mutant[] = readdirSync(folder).flatMap((file) =>
  (parse(readFileSync(join(folder, file), "utf8"), { merge: true }) as Group[]).flatMap(
    ({ mutants, ...shared }) =>
      Object.entries(mutants).map(([name, row]) => {
        const [requirement = "", ...words] = name.split(" ");
        return mutantOf(requirement as RequirementId, words.join(" "), { ...shared, ...row });
      }),
  ),
);
