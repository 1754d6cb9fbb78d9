import type { MutantResponse } from "../mutant.ts";
import {
  changeEveryResponse,
  errorIn,
  inObjects,
  isChosen,
  isObject,
  isSend,
  type Variant,
  withError,
} from "./variant.ts";

/** A text of other words, in place of one that is for people. */
const reworded = (text: unknown): unknown =>
  typeof text === "string" ? `(${text.length}) ${[...text].reverse().join("")}` : text;

const wordings = ["status_description", "summary", "what_to_do", "diagnostic", "detail", "message"];

const times = (title: string, write: (time: string) => string): Variant =>
  changeEveryResponse(title, (response) => ({
    ...response,
    body: inObjects(response.body, (object, name) =>
      isChosen(name)
        ? object
        : Object.fromEntries(
            Object.entries(object).map(([key, value]) => [
              key,
              /(^|_)at$/.test(key) && typeof value === "string" ? write(value) : value,
            ]),
          ),
    ),
  }));

/** Names of faulty fields below which something may be named. */
const deep = /^(emails\.\d+\.)?(to|cc|bcc|tags|headers|attachments|fields|consent|variables)$/;

const renamed = (title: string, rename: (name: string) => string): Variant =>
  changeEveryResponse(title, (response) => {
    const fields = errorIn(response)?.fields;
    if (!isObject(fields)) return response;
    const pairs = Object.entries(fields).map(([name, texts]) => [rename(name), texts] as const);
    return withError(response, { fields: Object.fromEntries(pairs) });
  });

const withHeaders = (response: MutantResponse, headers: Record<string, string>): MutantResponse => ({
  ...response,
  headers: { ...headers, ...response.headers },
});

/** Variants whose responses look different and say the same. */
export const shapeVariants: Variant[] = [
  changeEveryResponse("has more fields in every object, and more headers", (response) => ({
    ...response,
    headers: { ...response.headers, "x-served-by": "node-7", "x-service-region": "north", etag: 'W/"7"' },
    body: inObjects(response.body, (object, name) =>
      isChosen(name) ? object : { ...object, object_version: 3, links: { self: null }, notes: [] },
    ),
  })),
  changeEveryResponse("has the fields of every object the other way round", (response) => ({
    ...response,
    body: inObjects(response.body, (object) => Object.fromEntries(Object.entries(object).reverse())),
  })),
  changeEveryResponse("words everything in its own way", (response) => ({
    ...response,
    body: inObjects(response.body, (object, name) => {
      if (name === "fields" && response.status >= 400)
        return Object.fromEntries(Object.keys(object).map((key) => [key, ["no", "not like this"]]));
      if (isChosen(name)) return object;
      const pairs = Object.entries(object).map(([key, value]) => [
        key,
        wordings.includes(key) ? reworded(value) : value,
      ]);
      return Object.fromEntries(pairs);
    }),
  })),
  changeEveryResponse("lists what has no order in another order", (response) => ({
    ...response,
    body: inObjects(response.body, (object) => {
      const turned = Object.entries(object).map(([key, value]) => [
        key,
        ["lists", "fields", "tags"].includes(key) && Array.isArray(value) ? value.toReversed() : value,
      ]);
      return Object.fromEntries(turned);
    }),
  })),
  times("writes times with an offset of zero", (time) => time.replace(/Z$/, "+00:00")),
  times("writes times with microseconds", (time) => time.replace(/(\.\d+)?Z$/, ".000000Z")),
  renamed("names the part of a field that is at fault", (name) => (deep.test(name) ? `${name}.0` : name)),
  renamed("names whole fields only", (name) =>
    name.replace(/^(emails\.\d+\.[^.]+|(?!emails\.)[^.]+)\..*$/, "$1"),
  ),
  changeEveryResponse("labels JSON with its character set, and not in small letters", (response) =>
    "content-type" in response.headers
      ? { ...response, headers: { ...response.headers, "content-type": "application/json;charset=UTF-8" } }
      : response,
  ),
  changeEveryResponse("tells the budget and the allowance on errors too", (response, request) =>
    withHeaders(response, {
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": "60",
      ...(isSend(request) ? { "x-service-monthly-quota": "5000", "x-service-monthly-remaining": "100" } : {}),
    }),
  ),
];
