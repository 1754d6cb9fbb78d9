import { decoded } from "../../../lib/text.ts";
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

/** Another text for people. */
const reworded = (text: unknown): unknown =>
  typeof text === "string" ? `(${text.length}) ${[...text].reverse().join("")}` : text;

const wordings = ["status_description", "summary", "what_to_do", "diagnostic", "detail", "message"];

/** Forms of times that follow each other from response to response. */
const times = (title: string, ...forms: ((time: string) => string)[]): Variant => ({
  title,
  intercept: () => {
    let responses = 0;
    return async (request, next) => {
      const response = await next(request);
      const write = forms[responses++ % forms.length] ?? String;
      const written = (key: string, value: unknown): unknown =>
        /(^|_)at$/.test(key) && typeof value === "string" ? write(value) : value;
      const body = inObjects(response.body, (object, name) =>
        isChosen(name)
          ? object
          : Object.fromEntries(Object.entries(object).map(([key, value]) => [key, written(key, value)])),
      );
      return { ...response, body };
    };
  },
});

/** A time whose milliseconds are followed by other digits. */
const withDigits = (time: string, digits: string, zone = "Z"): string =>
  time.replace(/(\.\d{3})?Z$/, (_, milliseconds: string = ".000") => milliseconds + digits + zone);

/** Properties whose inner parts can be named in `error.fields`. */
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

/** Variants with responses that look different and mean the same. */
export const shapeVariants: Variant[] = [
  changeEveryResponse("has additional properties in every object, and additional headers", (response) => ({
    ...response,
    headers: { ...response.headers, "x-served-by": "node-7", "x-service-region": "north", etag: 'W/"7"' },
    body: inObjects(response.body, (object, name) =>
      isChosen(name)
        ? object
        : { owner: { id: "acct_7" }, ...object, object_version: 3, links: { self: null }, notes: [] },
    ),
  })),
  changeEveryResponse("has the properties of every object in reverse order", (response) => ({
    ...response,
    body: inObjects(response.body, (object) => Object.fromEntries(Object.entries(object).reverse())),
  })),
  changeEveryResponse("has its own texts", (response) => ({
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
  {
    title: "writes JSON in several lines, with a description that changes as the last property",
    intercept: () => {
      let lookups = 0;
      return async (request, next) => {
        const response = await next(request);
        if (request.method !== "GET" || response.body === undefined) return response;
        lookups += 1;
        const body = inObjects(response.body, (object, name) => {
          if (isChosen(name) || !("status_description" in object)) return object;
          const { status_description, ...others } = object;
          return { ...others, status_description: `${status_description} (lookup ${lookups})` };
        });
        return { ...response, body: undefined, text: JSON.stringify(body, null, 2) };
      };
    },
  },
  changeEveryResponse("returns unordered lists in another order", (response) => ({
    ...response,
    body: inObjects(response.body, (object) => {
      const turned = Object.entries(object).map(([key, value]) => [
        key,
        ["lists", "fields", "tags"].includes(key) && Array.isArray(value) ? value.toReversed() : value,
      ]);
      return Object.fromEntries(turned);
    }),
  })),
  times("returns times with a zero offset", (time) => time.replace(/Z$/, "+00:00")),
  times("returns times with microseconds", (time) => time.replace(/(\.\d+)?Z$/, ".000000Z")),
  times(
    "returns times in another form each time",
    String,
    (time) => withDigits(time, "", "+00:00"),
    (time) => withDigits(time, "000"),
    (time) => withDigits(time, "000000", "+00:00"),
    (time) => time.replace(/\.\d+/, ""),
    (time) => withDigits(time, "000000"),
    (time) => withDigits(time, "000", "+00:00"),
  ),
  changeEveryResponse("names invalid properties and what lies below them", (response) => {
    const fields = errorIn(response)?.fields;
    if (!isObject(fields)) return response;
    const names = Object.keys(fields).flatMap((name) => [name, `${name}.value`]);
    return withError(response, { fields: Object.fromEntries(names.map((name) => [name, ["Invalid."]])) });
  }),
  renamed("names the inner part of an invalid property", (name) => (deep.test(name) ? `${name}.0` : name)),
  renamed("names whole properties only", (name) =>
    name.replace(/^(emails\.\d+\.[^.]+|(?!emails\.)[^.]+)\..*$/, "$1"),
  ),
  {
    title: "clears properties in states that leave them unspecified",
    intercept: () => {
      const blocked = new Set<string>();
      return async (request, next) => {
        const response = await next(request);
        const body = inObjects(response.body, (object) => {
          if (object.status === "canceled") return { ...object, scheduled_at: null };
          if (!("list_id" in object)) return object;
          if (object.status === "complained") return { ...object, subscribed_at: null };
          if (object.status !== "unsubscribed") return object;
          // A membership that was added after the contact had unsubscribed from everything.
          const membership = `${object.email} ${object.list_id}`;
          if (response.status === 201) blocked.add(membership);
          return blocked.has(membership) ? { ...object, unsubscribed_at: null } : object;
        });
        return { ...response, body };
      };
    },
  },
  changeEveryResponse("has a charset and upper case in its media type", (response) =>
    response.headers["content-type"]?.startsWith("application/json") === true
      ? { ...response, headers: { ...response.headers, "content-type": "application/json;charset=UTF-8" } }
      : response,
  ),
  changeEveryResponse("reports rate limit and quota on errors too", (response, request) =>
    withHeaders(response, {
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": "60",
      ...(isSend(request) ? { "x-service-monthly-quota": "5000", "x-service-monthly-remaining": "100" } : {}),
    }),
  ),
];

const requestIdHeader = "x-service-request-id";

/** An id of another form that can be mapped back. */
const worn = (id: string): string => {
  const prefix = id.startsWith("sched_") ? "sched_" : "";
  return `${prefix}0:${Buffer.from(id.slice(prefix.length)).toString("hex").toUpperCase()}~=.v2`;
};

const taken = (id: string): string => {
  const [, prefix = "", hex = ""] = /^(sched_)?0:([0-9A-F]+)~=\.v2$/.exec(id) ?? [];
  return hex === "" ? `unknown-${encodeURIComponent(id)}` : prefix + Buffer.from(hex, "hex").toString();
};

const isMail = /^(\/api\/v1\/emails\/)([^/?]+)(\?.*)?$/;

function wornIn(response: MutantResponse, path: string): MutantResponse {
  const isAboutMail = /^\/api\/v1\/emails/.test(path);
  const body = !isAboutMail
    ? response.body
    : inObjects(response.body, (object, name) =>
        typeof object.id === "string" && ["", "data"].includes(name)
          ? { ...object, id: worn(object.id) }
          : object,
      );
  const { [requestIdHeader]: requestId = "", ...headers } = response.headers;
  const own = `${Buffer.from(requestId).toString("base64url")}/${requestId.length}`;
  const changed = { ...response, headers: { ...headers, [requestIdHeader]: own }, body };
  return errorIn(response) === undefined ? changed : withError(changed, { request_id: own });
}

/** Ids are opaque; only the prefix of scheduled messages is specified. */
export const idVariants: Variant[] = [
  {
    title: "has ids of another form",
    intercept: () => async (request, next) => {
      const [, before = "", id = "", query = ""] = isMail.exec(request.path) ?? [];
      const isId = id !== "" && id !== "batch";
      const path = isId ? before + encodeURIComponent(taken(decoded(id) ?? id)) + query : request.path;
      return wornIn(await next({ ...request, path }), request.path);
    },
  },
];
