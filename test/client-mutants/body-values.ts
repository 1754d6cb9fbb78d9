import { isObject } from "../../lib/objects.ts";
import { inObjects } from "../mutants/variants/variant.ts";
import { type ClientMutant, type Json, violating } from "./client-mutant.ts";

const gen3 = violating("GEN-3");

/** Bodies with all their values changed, innermost first. */
const inValues = (title: string, change: (value: unknown, name: string) => unknown): ClientMutant =>
  gen3.sendsBody(title, (body) => inObjects(body, (object) => mapped(object, change)));

const mapped = (object: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** Bodies without some of their properties. */
const drops = (title: string, isDropped: (value: unknown, name: string) => boolean): ClientMutant =>
  gen3.sendsBody(title, (body) =>
    inObjects(body, (object) =>
      Object.fromEntries(Object.entries(object).filter(([name, value]) => !isDropped(value, name))),
    ),
  );

/** Bodies with other names of properties; those in `tags`, `headers`, `fields` and `variables` come from the caller. */
const renames = (title: string, rename: (name: string) => string): ClientMutant =>
  gen3.sendsBody(title, (body) =>
    inObjects(body, (object, name) =>
      /^(tags|headers|fields|variables)$/.test(name)
        ? object
        : Object.fromEntries(Object.entries(object).map(([own, value]) => [rename(own), value])),
    ),
  );

/** Requests with the time of a send or a rescheduling in another form. */
const writesTimes = (title: string, change: (time: string) => unknown): ClientMutant =>
  violating("GEN-6").sendsBody(title, ({ scheduled_at: time, ...body }) =>
    typeof time === "string" ? { ...body, scheduled_at: change(time) } : undefined,
  );

const texts = (change: (text: string) => string) => (value: unknown) =>
  typeof value === "string" ? change(value) : value;

/** The values in bodies. */
export const bodyValueMutants = [
  gen3.sendsBody("sends null for absent properties", (body, { operation }) =>
    operation === "sendEmail" ? { reply_to: null, cc: null, bcc: null, ...body } : undefined,
  ),
  gen3.sendsBody("adds a property with its version", (body) => ({ ...body, client: "email-client/1.0" })),
  gen3.sendsBody("unsubscribes with list_id null", (body, { operation }) =>
    operation === "unsubscribeContact" ? { list_id: null, ...body } : undefined,
  ),
  gen3.sendsBody("unsubscribes from every list in place of one", ({ list_id: _, ...body }, { operation }) =>
    operation === "unsubscribeContact" ? body : undefined,
  ),
  drops("drops null", (value) => value === null),
  drops("drops empty strings", (value) => value === ""),
  drops("drops empty arrays", (value) => Array.isArray(value) && value.length === 0),
  drops("drops empty objects", (value) => isObject(value) && Object.keys(value).length === 0),
  drops("drops zero", (value) => value === 0),
  drops("drops the reason for unsubscribing", (_, name) => name === "reason"),
  drops("drops the media type of attachments", (_, name) => name === "content_type"),
  drops("drops the content id of inline images", (_, name) => name === "content_id"),
  drops("drops bcc", (_, name) => name === "bcc"),
  inValues("sorts arrays", (value) => (Array.isArray(value) ? [...value].sort() : value)),
  inValues("removes repeated items from arrays", (value) =>
    Array.isArray(value) ? [...new Set(value)] : value,
  ),
  inValues("joins recipients into one string", (value, name) =>
    name === "to" && Array.isArray(value) ? value.join(", ") : value,
  ),
  inValues("sends one recipient as a string", (value, name) =>
    name === "to" && Array.isArray(value) && value.length === 1 ? value[0] : value,
  ),
  inValues("sends recipients as objects", (value, name) =>
    name === "to" && Array.isArray(value) ? value.map((email) => ({ email })) : value,
  ),
  inValues("sends reply_to as an array", (value, name) => (name === "reply_to" ? [value] : value)),
  inValues("sends numbers as strings", (value) => (typeof value === "number" ? `${value}` : value)),
  inValues(
    "sends numeric strings as numbers",
    texts((text) => (/^\d+$/.test(text) ? +text : text) as string),
  ),
  gen3.sends("sends integers as floats", ({ body }) =>
    body === undefined ? undefined : { body: body.toString().replace(/"list_id":\d+/, "$&.0") },
  ),
  inValues("sends 32-bit integers", (value) => (typeof value === "number" ? value | 0 : value)),
  inValues(
    "trims strings",
    texts((text) => text.trim()),
  ),
  inValues(
    "lower-cases email addresses",
    texts((text) => (/^\S+@\S+$/.test(text) ? text.toLowerCase() : text)),
  ),
  inValues(
    "escapes strings as HTML",
    texts((text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")),
  ),
  inValues(
    "replaces line breaks with spaces",
    texts((text) => text.replaceAll(/\r?\n/g, " ")),
  ),
  inValues("encodes the content of attachments twice", (value, name) =>
    name === "content" ? btoa(value as string) : value,
  ),
  inValues("writes the content of attachments in the URL-safe alphabet", (value, name) =>
    name === "content"
      ? (value as string).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
      : value,
  ),
  inValues("sends message tags as an array of names and values", (value, name) =>
    name === "tags" && isObject(value)
      ? Object.entries(value).map(([tag, of]) => ({ name: tag, value: of }))
      : value,
  ),
  inValues("lower-cases the names of extra headers", (value, name) =>
    name === "headers" && isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([own, of]) => [own.toLowerCase(), of]))
      : value,
  ),
  writesTimes("sends times without their offset", (time) => time.replace(/(Z|[+-]\d\d:\d\d)$/, "")),
  writesTimes("sends times with a space before their offset", (time) =>
    time.replace("T", " ").replace(/(Z|[+-]\d\d:\d\d)$/, " $1"),
  ),
  writesTimes("sends Unix times", (time) => Date.parse(time) / 1000),
  writesTimes("sends dates in place of times", (time) => time.slice(0, 10)),
  writesTimes("sends times as RFC 1123 has them", (time) => new Date(time).toUTCString()),
  writesTimes("sends times with the name of a zone", (time) => `${time}[Europe/Berlin]`),
  inValues("sends the local time of a time as UTC", (value, name) =>
    name === "scheduled_at" && typeof value === "string" ? value.replace(/[+-]\d\d:\d\d$/, "Z") : value,
  ),
  inValues("sends times without fractions of a second", (value, name) =>
    name === "scheduled_at" && typeof value === "string" ? value.replace(/\.\d+/, "") : value,
  ),
  renames("sends property names in camel case", (name) =>
    name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  ),
  renames("sends property names in upper case", (name) => name.toUpperCase()),
  gen3.sendsBody("sends batches as an array", ({ emails }) => emails),
  gen3.sendsBody("sends the messages of a batch in reverse order", (body) =>
    Array.isArray(body.emails) ? { ...body, emails: [...body.emails].reverse() } : undefined,
  ),
  gen3.mutant("sends each message of a batch in a request of its own", () => ({
    call: async (call, next) => {
      const { emails = [] } = (call.body ?? {}) as { emails?: unknown[] };
      if (call.operation !== "sendBatch" || emails.length < 2) return next(call);
      const data: unknown[] = [];
      for (const email of emails) {
        const reply = await next({ ...call, body: { emails: [email] } });
        if ("error" in reply) return reply;
        data.push(...(reply.result as { data: unknown[] }).data);
      }
      return { result: { data } };
    },
  })),
];
