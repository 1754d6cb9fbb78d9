import { isObject } from "../../lib/objects.ts";
import { type ClientMutant, type Json, violating } from "./client-mutant.ts";

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

const inDetail = (title: string, change: (detail: string) => string): ClientMutant =>
  inConsent(title, (consent) =>
    typeof consent?.detail === "string" ? { ...consent, detail: change(consent.detail) } : consent,
  );

const refId = "X-Entity-Ref-ID";

/** What the caller can do only if the client lets it. */
export const adviceMutants = [
  both("drops text if there is html", ({ text: _, ...message }) => message),
  both("drops html if there is text", ({ html: _, ...message }) => message),
  both("sends html as text too", (message) => ({ ...message, text: message.html })),
  inTemplate("adds an empty subject to a send with a template", { subject: "" }),
  inTemplate("adds html and text of null to a send with a template", { html: null, text: null }),
  inTemplate("adds an empty text to a send with a template", { text: "" }),
  inHeaders(`drops ${refId}`, ({ [refId]: _, ...headers }) => headers),
  inHeaders("has the same X-Entity-Ref-ID in each message", (headers) =>
    refId in headers ? { ...headers, [refId]: "email-client" } : headers,
  ),
  inHeaders("drops extra headers", () => ({})),
  inDetail("replaces consent.detail with a fixed text", () => "Added through the API."),
  inDetail("cuts consent.detail after 50 characters", (detail) => detail.slice(0, 50)),
  inDetail("sends consent.detail in lower case", (detail) => detail.toLowerCase()),
  inConsent(
    "adds consent to each contact",
    (consent) => ({ detail: "Added by a program.", ...consent }),
    "GEN-3",
  ),
  inConsent("drops consent", () => undefined),
  inConsent("sends consent as a string", (consent) => consent?.detail),
  inConsent(
    "adds its own user agent to consent",
    (consent) => consent && { ...consent, user_agent: "client/1.0" },
    "GEN-3",
  ),
];
