import { isObject, mapValues } from "../../lib/objects.ts";
import type { RequirementId } from "../mutants/mutant.ts";
import { type ClientMutant, type Json, violating } from "./client-mutant.ts";

/** A copy with another value wherever the path, such as `emails.0.to.1`, matches. */
function changed(value: unknown, where: RegExp, change: (value: unknown) => unknown, path = ""): unknown {
  const own = where.test(path) ? change(value) : value;
  const inner = (one: unknown, name: string | number) => changed(one, where, change, `${path}.${name}`);
  if (Array.isArray(own)) return own.map(inner);
  return isObject(own) ? mapValues(own, inner) : own;
}

const text =
  (change: (text: string) => string) =>
  (value: unknown): unknown =>
    typeof value === "string" ? change(value) : value;

const object =
  (change: (object: Json) => unknown) =>
  (value: unknown): unknown =>
    isObject(value) ? change(value) : value;

const array =
  (change: (array: unknown[]) => unknown[]) =>
  (value: unknown): unknown =>
    Array.isArray(value) ? change(value) : value;

const gen3 = violating("GEN-3");

/** Requests with other values in some of their properties. */
const sends = (title: string, where: RegExp, change: (value: unknown) => unknown): ClientMutant =>
  gen3.sendsBody(title, (body) => changed(body, where, change));

/** Results with other values in some of their properties. */
const returns = (
  requirement: RequirementId,
  title: string,
  where: RegExp,
  change: (value: unknown) => unknown,
): ClientMutant => violating(requirement).returns(title, (result) => changed(result, where, change));

type ChangeText = (text: string) => string;
type ChangeObject = (object: Json) => unknown;
type ChangeEntries = (entries: Json[]) => unknown[];
const entries = (change: ChangeEntries) => array((all) => change(all as Json[]));

const sendsText = (title: string, where: RegExp, change: ChangeText) => sends(title, where, text(change));
const sendsObject = (title: string, where: RegExp, change: ChangeObject) =>
  sends(title, where, object(change));
const sendsArray = (title: string, where: RegExp, change: (array: unknown[]) => unknown[]) =>
  sends(title, where, array(change));
const sendsEntries = (title: string, where: RegExp, change: ChangeEntries) =>
  sends(title, where, entries(change));
/** Objects whose names are changed. */
const sendsNames = (title: string, where: RegExp, change: ChangeText) =>
  sendsObject(title, where, (one) =>
    Object.fromEntries(Object.entries(one).map(([name, value]) => [change(name), value])),
  );
const returnsText = (requirement: RequirementId, title: string, where: RegExp, change: ChangeText) =>
  returns(requirement, title, where, text(change));
const returnsEntries = (requirement: RequirementId, title: string, where: RegExp, change: ChangeEntries) =>
  returns(requirement, title, where, entries(change));

const message = /^(\.emails\.\d+)?$/;
const tagValue = /\.tags\.[^.]+$/;
const person = /(first|last)_name$/;
const fieldValue = /\.fields\.[^.]+$/;
const joiners = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]|\ufe0f/g;

const lower = text((one) => one.toLowerCase());
const trimmed = text((one) => one.trim());
const isDate = /^\d{4}-\d\d-\d\d$/;
const url = text((one) => (/^https?:/.test(one) ? (URL.parse(one)?.href ?? one) : one));

/** Texts, numbers and their limits. */
const ofTexts = [
  sendsText("removes joiners and direction marks from names", person, (one) => one.replaceAll(joiners, "")),
  sendsText("writes ligatures and full-width letters of names as others", person, (one) =>
    one.normalize("NFKC"),
  ),
  sends("sends the last name Null as null", person, (one) => (one === "Null" ? null : one)),
  sends("trims tag values", tagValue, trimmed),
  sends("trims consent", /^\.consent\.detail$/, trimmed),
  sendsText("writes line breaks of text bodies as LF", /text$/, (one) => one.replaceAll("\r\n", "\n")),
  sendsText("removes a dot at the beginning of a line of text bodies", /text$/, (one) =>
    one.replaceAll(/^\./gm, ""),
  ),
  sendsText("cuts subjects after 997 characters", /subject$/, (one) => [...one].slice(0, 997).join("")),
  sendsText("cuts subjects after 998 UTF-16 units", /subject$/, (one) => one.slice(0, 998).toWellFormed()),
  sendsText("cuts tag values after 127 characters", tagValue, (one) => [...one].slice(0, 127).join("")),
  sendsText("cuts names after 120 bytes", person, (one) => Buffer.from(one).subarray(0, 120).toString()),
  sendsText("writes an ampersand of a subject as in HTML", /subject$/, (one) => one.replaceAll("&", "&amp;")),
  sendsText("fills in placeholders in the values of template variables", /variables\.[^.]+$/, (one) =>
    one.replaceAll("{{order}}", ""),
  ),
  sendsText("writes two dollar signs of a template variable as one", /variables\.[^.]+$/, (one) =>
    one.replaceAll("$$", "$"),
  ),
  sendsText(
    "puts an apostrophe before a text in a custom field that begins as a formula",
    fieldValue,
    (one) => one.replace(/^[=@+-]/, "'$&"),
  ),
  sends("writes a URL in a custom field as its parser does", fieldValue, url),
  sends("writes the link of an attachment as its parser does", /attachments\.\d+\.path$/, url),
  sends("sends numbers in custom fields with 15 significant digits", fieldValue, (one) =>
    typeof one === "number" ? Number(one.toPrecision(15)) : one,
  ),
  sends("sends the last 32 bits of the list id of an unsubscribe", /^\.list_id$/, (one) => Number(one) | 0),
  sendsArray("splits contact tags at commas", /^\.tags$/, (tags) =>
    tags.flatMap((tag) => String(tag).split(",")),
  ),
  sendsText("removes the padding of base64", /attachments\.\d+\.content$/, (one) => one.replace(/=+$/, "")),
  sendsText("sends the media type of an attachment without its parameters", /content_type$/, (one) =>
    one.replace(/;.*/, ""),
  ),
];

/** Names that the caller chooses. */
const ofNames = [
  sendsObject("loses a tag with the name __proto__", /tags$/, ({ ...tags }) => {
    const copy: Json = {};
    for (const [name, value] of Object.entries(tags)) copy[name] = value;
    return copy;
  }),
  sendsObject("sends one of the tags whose names differ in case", /tags$/, (tags) => {
    const seen = new Set<string>();
    const isNew = (name: string): boolean => seen.size < seen.add(name.toLowerCase()).size;
    return Object.fromEntries(Object.entries(tags).filter(([name]) => isNew(name)));
  }),
  sendsNames("writes dots in tag names as underscores", /tags$/, (name) => name.replaceAll(".", "_")),
  ...["first_name", "last_name", "reason", "subject", "detail", "user_agent"].map((name) =>
    sendsObject(`leaves out an empty ${name}`, /^(\.consent)?$/, ({ [name]: value, ...one }) =>
      value === "" ? one : { ...one, [name]: value },
    ),
  ),
  sendsObject("leaves out tags whose names are numbers", /tags$/, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([name]) => Number.isNaN(Number(name)))),
  ),
  sendsNames("writes the keys of custom fields in snake case", /fields$/, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ),
  sendsNames("normalizes the keys of custom fields to NFC", /fields$/, (name) => name.normalize("NFC")),
  sendsNames("trims the keys of custom fields", /fields$/, (name) => name.trim()),
  sendsNames("writes the words in names of extra headers with a capital", /headers$/, (name) =>
    name.replaceAll(/(?<=-)[a-z]/g, (letter) => letter.toUpperCase()),
  ),
];

/** Recipients, attachments and messages in their order. */
const ofLists = [
  sends("writes the recipients in lower case", /\.to\.\d+$/, lower),
  sends("writes reply_to in lower case", /\.reply_to$/, lower),
  sendsObject(
    "leaves recipients out of cc that only differ in case from one in to",
    message,
    ({ cc, ...one }) => {
      if (!Array.isArray(cc)) return one;
      const to = new Set((one.to as string[]).map((email) => email.toLowerCase()));
      return { ...one, cc: cc.filter((email) => !to.has(String(email).toLowerCase())) };
    },
  ),
  sendsObject("leaves recipients out of bcc that are in to", message, ({ bcc, ...one }) =>
    Array.isArray(bcc) ? { ...one, bcc: bcc.filter((email) => !(one.to as string[]).includes(email)) } : one,
  ),
  sendsArray("sorts the recipients", /\.to$/, (to) => [...to].sort()),
  sendsArray("leaves out the last of 50 recipients", /\.to$/, (to) => to.slice(0, 49)),
  sendsArray("leaves out the last of 50 recipients in bcc", /\.bcc$/, (bcc) => bcc.slice(0, 49)),
  sendsObject("leaves out the last of 20 tags", /\.tags$/, (tags) =>
    Object.fromEntries(Object.entries(tags).slice(0, 19)),
  ),
  sendsObject("leaves out the last of 10 extra headers", /\.headers$/, (headers) =>
    Object.fromEntries(Object.entries(headers).slice(0, 9)),
  ),
  sendsArray("sends one of two attachments with the same file name", /attachments$/, (all) => [
    ...new Map(all.map((one) => [(one as Json).filename, one])).values(),
  ]),
  sendsEntries("sorts the messages of a batch by their subjects", /^\.emails$/, (all) =>
    [...all].sort((one, other) => String(one.subject ?? "").localeCompare(String(other.subject ?? ""))),
  ),
  sendsEntries("sends the messages with a template at the end of a batch", /^\.emails$/, (all) => [
    ...all.filter((one) => !("template_id" in one)),
    ...all.filter((one) => "template_id" in one),
  ]),
  sendsEntries("gives messages of a batch without tags those of the message before", /^\.emails$/, (all) => {
    let last: unknown;
    return all.map((one) => {
      last = one.tags ?? last;
      return last === undefined ? one : { ...one, tags: last };
    });
  }),
  sendsEntries("gives message 100 of a batch the recipients of message 99", /^\.emails$/, (all) =>
    all.length === 100 ? all.with(99, { ...all[99], to: all[98]?.to }) : all,
  ),
];

const at = /scheduled_at$/;
const millisecondsOf = (time: string, digits: string): number =>
  Date.parse(time.replace(`.${digits}`, "")) + Number(digits);

/** Times in requests. */
const ofTimes = [
  sendsText("reads a fraction of more than three digits as milliseconds", at, (time) => {
    const digits = /\.(\d{4,9})(?=[Z+-])/.exec(time)?.[1];
    return digits === undefined ? time : new Date(millisecondsOf(time, digits)).toISOString();
  }),
  sendsText("loses the sign of the offset -00:30", at, (time) => time.replace("-00:30", "+00:30")),
  sendsText("sends offsets of quarter hours as half hours", at, (time) => time.replace(/:[14]5$/, ":30")),
  sendsText("sends a time in the last second of a day as the next day", at, (time) =>
    time.replace(/T23:59:59Z$/, "T24:00:00Z"),
  ),
];

/** Results. */
const ofResults = [
  returnsText(
    "LOOK-1",
    "returns a time in the last second of a day as the beginning of that day",
    /_at$/,
    (time) => time.replace(/T23:59:59\.\d+Z$/, "T00:00:00Z"),
  ),
  returns("LOOK-1", "returns no time for a fraction of more than six digits", /_at$/, (time) =>
    /\.\d{7}/.test(String(time)) ? null : time,
  ),
  returnsText("LOOK-1", "returns a time after 2038 as one before 1970", /_at$/, (time) =>
    time.replace(/^2038/, "1901"),
  ),
  returnsText("LOOK-1", "returns a tag value that looks like a date as a time", tagValue, (one) =>
    isDate.test(one) ? `${one}T00:00:00.000Z` : one,
  ),
  returnsText("LOOK-1", "returns a tag value that looks like a time in another form", tagValue, (one) =>
    one.replace(/\.5Z$/, ".500Z"),
  ),
  returns("LOOK-1", "returns a tag value that looks like a number as one", tagValue, (one) =>
    one !== "" && Number.isFinite(Number(one)) ? Number(one) : one,
  ),
  returns("LOOK-1", "trims the subject of a message", /subject$/, trimmed),
  returnsEntries("LOOK-1", "sorts the events of a message by time", /events$/, (events) =>
    [...events].sort((one, other) => String(one.at).localeCompare(String(other.at))),
  ),
  returns("LOOK-1", "returns an unknown status of a message as sent", /^\.status$/, (status) =>
    status === "archived" ? "sent" : status,
  ),
  returns("LOOK-1", "returns the status delayed as queued", /^\.status$/, (status) =>
    status === "delayed" ? "queued" : status,
  ),
  violating("LOOK-1").receives("cannot read a response that begins with blanks or line breaks", ({ body }) =>
    /^\s/.test(body.toString()) ? { body: Buffer.from("") } : undefined,
  ),
  violating("LOOK-1").mutant("of two calls at the same time both have the result that comes last", () => {
    let running = 0;
    let last: unknown;
    return {
      call: async (call, next) => {
        running += 1;
        const isShared = running > 1;
        const reply = await next(call);
        running -= 1;
        const before = last;
        last = running > 0 && "result" in reply ? reply.result : undefined;
        return !isShared && before !== undefined ? { result: before } : reply;
      },
    };
  }),
  returnsText(
    "CONT-3",
    "returns a date before 1970 in a custom field as the day before",
    fieldValue,
    (one) =>
      isDate.test(one) && one < "1970"
        ? new Date(Date.parse(one) - 86_400_000).toISOString().slice(0, 10)
        : one,
  ),
  returnsText("CONT-3", "returns a date in the first century as one in the twentieth", fieldValue, (one) =>
    one.replace(/^00(?=\d\d-\d\d-\d\d$)/, "19"),
  ),
  returns("CONT-3", "returns numbers in custom fields in single precision", fieldValue, (one) =>
    typeof one === "number" ? Math.fround(one) : one,
  ),
  returns("CONT-3", "returns an unknown status of a membership as subscribed", /^\.status$/, (status) =>
    status === "archived" ? "subscribed" : status,
  ),
  returns(
    "CONT-3",
    "loses the custom field with the key constructor",
    /fields$/,
    object(({ constructor: _, ...fields }) => fields),
  ),
  returnsText("CONT-3", "normalizes names to NFC", person, (one) => one.normalize("NFC")),
  returns(
    "CONT-23",
    "returns cleaned memberships of a contact as unsubscribed",
    /^\.lists\.\d+\.status$/,
    (status) => (status === "cleaned" ? "unsubscribed" : status),
  ),
  returns(
    "CONT-23",
    "loses empty texts in custom fields of a contact",
    /^\.lists\.\d+\.fields$/,
    object((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))),
  ),
  returns(
    "UNSUB-9",
    "returns an empty first name of an unsubscribed contact as null",
    /^\.lists\.\d+\.first_name$/,
    (name) => (name === "" ? null : name),
  ),
  returnsEntries("CONT-23", "sorts the memberships of a contact by their lists", /^\.lists$/, (all) =>
    [...all].sort((one, other) => Number(one.list_id) - Number(other.list_id)),
  ),
  returns("UNSUB-9", "loses the fraction of numbers in custom fields below a millionth", fieldValue, (one) =>
    typeof one === "number" && Math.abs(one) < 1e-6 ? 0 : one,
  ),
  returns(
    "LIST-1",
    "returns the last 32 bits of the id of a list",
    /^\.lists\.\d+\.id$/,
    (one) => Number(one) | 0,
  ),
  returns("LIST-5", "returns no fallback of a custom field if it is 0", /fallback$/, (one) =>
    one === "0" ? null : one,
  ),
  returns("SEND-31", "returns the suppressed recipients in lower case", /suppressed\.\d+$/, lower),
  returns("BATCH-9", "returns the ids of a batch in lower case", /^\.data\.\d+\.id$/, lower),
];

/** What is kept from an earlier error. */
const keeps = (
  requirement: "ERR-4" | "HEAD-1",
  property: "fields" | "requestId",
  title: string,
): ClientMutant =>
  violating(requirement).mutant(title, () => {
    let last: Json = {};
    return {
      call: async (call, next) => {
        const reply = await next(call);
        if (!("error" in reply) || reply.error.kind !== "response") return reply;
        const { [property]: own } = reply.error;
        if (own == null) return { error: { ...reply.error, ...last } };
        last = { [property]: own };
        return reply;
      },
    };
  });

const name = "idempotency-key";

/** Idempotency keys that a client creates from the number of the call. */
const creates = (title: string, keyOf: (count: number) => string): ClientMutant =>
  violating("IDEM-5").mutant(title, ({ call }) => {
    const known = new Map<string, string>();
    return {
      send: (request, next) => {
        const own = request.headers[name];
        if (own === undefined || call().idempotencyKey !== undefined) return next(request);
        const key = known.get(own) ?? keyOf(known.size + 1);
        known.set(own, key);
        return next({ ...request, headers: { ...request.headers, [name]: key } });
      },
    };
  });

/** State of a client, and headers that it cannot read. */
const ofState = [
  keeps("ERR-4", "fields", "an error without fields has those of the error before"),
  keeps("HEAD-1", "requestId", "an error without a request id has that of the error before"),
  creates(
    "creates idempotency keys from a counter that begins again in a new process",
    (count) => `call-${count}`,
  ),
  creates("creates idempotency keys from a fixed seed", (count) =>
    Math.imul(count * 2_654_435_761, 40_503).toString(16),
  ),
  violating("HEAD-9").mutant("waits without end if Retry-After is a date that cannot be parsed", () => {
    let isWaiting = false;
    return {
      send: async (request, next) => {
        const response = await next(request);
        const until = response.headers.get("retry-after") ?? "0";
        isWaiting ||= /^\w{3},/.test(until) && Number.isNaN(Date.parse(until));
        return response;
      },
      call: async (call, next) => {
        const reply = await next(call);
        return isWaiting ? Promise.race([]) : reply;
      },
    };
  }),
];

/** Values, names and orders that a client changes, and what it keeps between calls. */
export const valueMutants: ClientMutant[] = [
  ...ofTexts,
  ...ofNames,
  ...ofLists,
  ...ofTimes,
  ...ofResults,
  ...ofState,
];
