import type { Reply } from "../../contract/client-suite/driver/protocol.ts";
import { isObject } from "../../lib/objects.ts";
import { inObjects } from "../mutants/variants/variant.ts";
import { type ClientMutant, type Json, violating, withParameter } from "./client-mutant.ts";
import { sendBySocket } from "./in-process/sockets.ts";

const gen2 = violating("GEN-2");

const toHttp = (url: string): string => url.replace(/^https:/, "http:");

const ofHttps = [
  gen2.sends("sends over http if the base URL has https", ({ url }) => ({ url: toHttp(url) })),
  gen2.transmits("accepts any certificate", (request) =>
    sendBySocket(request, { rejectUnauthorized: false }),
  ),
];

/** Another encoding of an id or an email address in the path. */
const encodes = (
  requirement: "GEN-8" | "GEN-9",
  title: string,
  encode: (value: string) => string,
): ClientMutant =>
  violating(requirement).sends(title, (_, context) =>
    withParameter(context, (value, name) =>
      (name === "email") === (requirement === "GEN-9") ? encode(value) : encodeURIComponent(value),
    ),
  );
const idAs = (title: string, encode: (id: string) => string): ClientMutant => encodes("GEN-8", title, encode);
const emailAs = (title: string, encode: (email: string) => string): ClientMutant =>
  encodes("GEN-9", title, encode);
const changed = (change: (value: string) => string) => (value: string) => encodeURIComponent(change(value));

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const latin1 = (value: string): string =>
  Array.from(Buffer.from(value, "latin1"), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** Ids that are rejected before anything is sent. */
const rejectsIds = (title: string, isRejected: (id: string) => boolean): ClientMutant =>
  violating("SEND-32").responds(title, ({ path }): Reply | undefined =>
    path?.id !== undefined && isRejected(path.id)
      ? { error: { kind: "not sent", message: `${path.id} is not the id of a message` } }
      : undefined,
  );

/** Ids that are changed before the caller gets them. */
const returnsId = (title: string, change: (id: string) => string): ClientMutant =>
  violating("SEND-32").returns(title, (result, { operation }) => {
    const { id } = result as { id?: unknown };
    return operation === "sendEmail" && typeof id === "string"
      ? { ...(result as object), id: change(id) }
      : result;
  });

const ofPaths = [
  idAs("decodes ids first", changed(decoded)),
  idAs(
    "cuts ids after 40 characters",
    changed((id) => id.slice(0, 40)),
  ),
  idAs(
    "removes = at the end of ids",
    changed((id) => id.replace(/=+$/, "")),
  ),
  idAs(
    "sends ids that are numbers as numbers",
    changed((id) => (Number.isNaN(+id) ? id : `${+id}`)),
  ),
  idAs("encodes spaces in ids as +", (id) => encodeURIComponent(id).replaceAll("%20", "+")),
  emailAs("keeps what looks percent-encoded already", (email) =>
    encodeURIComponent(email).replaceAll(/%25([0-9A-F]{2})/gi, "%$1"),
  ),
  emailAs(
    "decodes + to a space",
    changed((email) => email.replaceAll("+", " ")),
  ),
  emailAs("encodes email addresses in Latin-1", latin1),
  emailAs(
    "removes apostrophes from email addresses",
    changed((email) => email.replaceAll("'", "")),
  ),
  emailAs("leaves / in email addresses", (email) => encodeURIComponent(email).replaceAll("%2F", "/")),
  rejectsIds("accepts only ids of up to 36 characters", (id) => id.length > 36),
  returnsId("returns ids in lower case", (id) => id.toLowerCase()),
];

const gen3 = violating("GEN-3");

const ofBodies = [
  gen3.sends("drops the second half of emoji", ({ body }) =>
    body === undefined ? undefined : { body: body.toString().replaceAll(/[\uDC00-\uDFFF]/g, "") },
  ),
  gen3.sends("sends an empty object with each cancellation", (request) =>
    request.method === "DELETE" ? { body: "{}" } : undefined,
  ),
  gen3.sends("sends no body with a reschedule", ({ method }) =>
    method === "PATCH" ? { body: undefined } : undefined,
  ),
];

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

/** Requests with the time of a send or a rescheduling in another form. */
const writesTimes = (title: string, change: (time: string) => unknown): ClientMutant =>
  violating("GEN-6").sendsBody(title, ({ scheduled_at: time, ...body }) =>
    typeof time === "string" ? { ...body, scheduled_at: change(time) } : undefined,
  );

const ofValues = [
  drops("drops empty strings", (value) => value === ""),
  drops("drops empty arrays", (value) => Array.isArray(value) && value.length === 0),
  drops("drops zero", (value) => value === 0),
  drops("drops the reason for unsubscribing", (_, name) => name === "reason"),
  drops("drops bcc", (_, name) => name === "bcc"),
  inValues("removes repeated items from arrays", (value) =>
    Array.isArray(value) ? [...new Set(value)] : value,
  ),
  writesTimes("sends times without their offset", (time) => time.replace(/(Z|[+-]\d\d:\d\d)$/, "")),
  writesTimes("sends Unix times", (time) => Date.parse(time) / 1000),
  inValues("sends times without fractions of a second", (value, name) =>
    name === "scheduled_at" && typeof value === "string" ? value.replace(/\.\d+/, "") : value,
  ),
  gen3.sendsBody("sends batches as an array", ({ emails }) => emails),
];

type Body = Json & { consent?: Json; headers?: Json };

const isContent = ({ html, text }: Json): boolean => html !== undefined && text !== undefined;

/** Each message of a send or a batch, changed. */
const inMessages = (change: (message: Json) => Json | undefined) => (body: Json) =>
  Array.isArray(body.emails)
    ? { ...body, emails: body.emails.map((one: Json) => change(one) ?? one) }
    : change(body);

const both = (title: string, change: (message: Json) => Json): ClientMutant =>
  violating("SEND-13").sendsBody(
    title,
    inMessages((message) => (isContent(message) ? change(message) : undefined)),
  );

const inTemplate = (title: string, added: Json): ClientMutant =>
  violating("SEND-15").sendsBody(
    title,
    inMessages((message) => ("template_id" in message ? { ...added, ...message } : undefined)),
  );

const inHeaders = (title: string, change: (headers: Json) => Json): ClientMutant =>
  violating("SEND-28").sendsBody(
    title,
    inMessages((message) =>
      isObject(message.headers) ? { ...message, headers: change(message.headers) } : undefined,
    ),
  );

const inConsent = (
  title: string,
  change: (consent: Json | undefined) => unknown,
  requirement: "CONT-18" | "GEN-3" = "CONT-18",
): ClientMutant =>
  violating(requirement).sendsBody(title, ({ consent, ...body }: Body, { operation }) =>
    operation === "upsertContact" ? { ...body, consent: change(consent) } : undefined,
  );

const refId = "X-Entity-Ref-ID";

/** What the caller can do only if the client lets it. */
const ofAdvice = [
  both("drops text if there is html", ({ text: _, ...message }) => message),
  both("drops html if there is text", ({ html: _, ...message }) => message),
  inTemplate("adds an empty subject to a send with a template", { subject: "" }),
  inTemplate("adds html and text of null to a send with a template", { html: null, text: null }),
  inHeaders(`drops ${refId}`, ({ [refId]: _, ...headers }) => headers),
  inHeaders("drops extra headers", () => ({})),
  inConsent("drops consent", () => undefined),
  inConsent("sends consent as a string", (consent) => consent?.detail),
  inConsent(
    "adds its own user agent to consent",
    (consent) => consent && { ...consent, user_agent: "client/1.0" },
    "GEN-3",
  ),
];

/** The URL and body of requests. */
export const requestMutants: ClientMutant[] = [...ofHttps, ...ofPaths, ...ofBodies, ...ofValues, ...ofAdvice];
