import { operations } from "../../../generated/operations.ts";
import { attempted, isObject } from "../../../lib/objects.ts";
import { decoded } from "../../../lib/text.ts";
import { pathOf } from "../../exchange.ts";
import { comparing, findingOf, type ResponseFinding } from "../../response-checks/finding.ts";
import { contrasted } from "../../text.ts";
import type { Call, Capabilities } from "../driver/protocol.ts";
import type { WireRequest } from "../service/recording-server.ts";
import { differenceText, isTime } from "./compare.ts";
import { whySecret } from "./reply-checks.ts";

export const compare = comparing({
  authorization: ["AUTH-1", "has the API key in the header Authorization"],
  accept: ["GEN-5", "accepts application/json"],
  otherPlaces: ["AUTH-6", "has the API key in no other place"],
  path: ["GEN-1", "has the method and the path of its operation"],
  declaredKey: ["IDEM-5", "has no other idempotency key, as the driver declares"],
  givenKey: ["IDEM-5", "has the idempotency key of the call"],
  noBody: ["GEN-3", "has a body only if its operation has one"],
  mediaType: ["GEN-3", "has the media type application/json"],
  body: ["GEN-3", "has a body that equals the input, as JSON"],
  times: ["GEN-6", "has times of ISO 8601 with an offset from UTC"],
  email: ["GEN-9", "has the email address in the path, percent-encoded"],
  id: ["GEN-8", "has the id in the path as the response returned it"],
});

/** Checks a request of a client against every rule for requests. */
export function* checkRequest(
  request: WireRequest,
  call: Call,
  key: string,
  capabilities: Pick<Capabilities, "idempotencyKeys">,
): Generator<ResponseFinding> {
  const { authorization = "no Authorization header", accept = "no Accept header" } = request.headers;
  const place = placeOfKey(request, key);
  yield* checkPath(request, call);
  yield compare.authorization(
    authorization === `Bearer ${key}`,
    "Authorization: Bearer and the API key",
    authorization,
  );
  yield compare.accept(/\bapplication\/json\b/i.test(accept), "Accept: application/json", accept);
  yield* checkBody(request, call);
  yield compare.otherPlaces(
    place === undefined,
    `the API key in the header Authorization only: it is ${whySecret}`,
    `the API key in ${place}`,
  );
  if (operations[call.operation].idempotent)
    yield* checkIdempotencyKey(request.headers["idempotency-key"], call, capabilities);
}

function* checkPath({ method, target }: WireRequest, { operation, path = {} }: Call) {
  const row = operations[operation];
  const [pathname = "", query] = target.split("?");
  const segments = pathname.split("/");
  const templates = row.path.split("/");
  const isNamed = (segment: string): boolean => segment.startsWith("{");
  const matches =
    method === row.method &&
    segments.length === templates.length &&
    templates.every((template, index) => isNamed(template) || template === segments[index]);
  // A parameter that is not encoded is no other path.
  const isRight =
    (matches && query === undefined) ||
    (method === row.method && decoded(target) === decoded(pathOf(row.path, path)));
  const sent = `${method} ${target}`;
  yield compare.path(isRight, `${row.method} ${row.path}`, sent);
  for (const template of templates.filter(isNamed)) {
    const name = template.slice(1, -1);
    const found = matches ? decoded(segments[templates.indexOf(template)] ?? "") : undefined;
    const own = name === "email" ? "email" : "id";
    yield compare[own](found === path[name], `{${name}} is ${path[name]} when decoded`, sent);
  }
}

/** Where a request has the API key besides its header. */
function placeOfKey({ target, headers: sent, body }: WireRequest, key: string): string | undefined {
  const { authorization: _, ...others } = sent;
  const headers = Object.entries(others).map(([name, value]) => [`the header ${name}`, value] as const);
  const places = [["the URL", target], ["the body", body.toString("latin1")], ...headers] as const;
  return places.find(([, text]) => text.includes(key))?.[0];
}

function* checkIdempotencyKey(
  sent: string | undefined,
  { idempotencyKey }: Call,
  { idempotencyKeys }: Pick<Capabilities, "idempotencyKeys">,
): Generator<ResponseFinding> {
  if (idempotencyKey !== undefined)
    yield compare.givenKey(
      sent === idempotencyKey,
      `Idempotency-Key: ${contrasted(idempotencyKey, sent)}`,
      sent === undefined ? "no idempotency key" : contrasted(sent, idempotencyKey),
    );
  else if (idempotencyKeys === "explicit")
    yield compare.declaredKey(
      sent === undefined,
      "no idempotency key: the driver declares that the client sends only given ones",
      `Idempotency-Key: ${sent}`,
    );
}

function* checkBody({ headers, body }: WireRequest, call: Call): Generator<ResponseFinding> {
  const isEmpty = body.length === 0;
  if (operations[call.operation].requestBody === null) {
    yield compare.noBody(isEmpty, "no body", `a body of ${body.length} bytes`);
    return;
  }
  const { "content-type": type = "none" } = headers;
  yield compare.mediaType(
    isEmpty || /^application\/json *(;|$)/i.test(type),
    "content-type: application/json",
    `content-type: ${type}`,
  );
  // The body of an operation may be optional.
  if (call.body !== undefined || !isEmpty) yield* checkValue(call.body ?? {}, jsonIn(body), body);
}

/** What the body says; undefined if it is not JSON in UTF-8, which starts with no byte order mark. */
export const jsonIn = (body: Buffer): unknown =>
  attempted(() => {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return JSON.parse(text, withDecimals) as unknown;
  });

/** A whole number with a point or an exponent, such as `1.0`: many programs read it as a float, and so it is no integer. */
class Decimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** As a report shows it. */
  toJSON(): unknown {
    return `the number ${this.text}`;
  }
}

/** Keeps the form of whole numbers. */
const withDecimals = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  Number.isSafeInteger(value) && /[.eE]/.test(context?.source ?? "")
    ? new Decimal(context?.source ?? "")
    : value;

/** Which differences of a message or a contact violate a further requirement. */
const furtherRequirements: Readonly<Record<string, (difference: string, given: object) => boolean>> = {
  "SEND-13": (difference) => /^(html|text) is missing/.test(difference),
  "SEND-15": (difference, given) =>
    "template_id" in given && /^(subject|html|text) is added/.test(difference),
  "SEND-28": (difference) => /^headers(\.X-Entity-Ref-ID)? is /.test(difference),
  "CONT-18": (difference) => /^consent(\.detail)? is /.test(difference),
};

function violatedBy(difference: string, body: unknown): string[] {
  const [head = "", index] = /^emails\.(\d+)\./.exec(difference) ?? [];
  const given = Object(index === undefined ? body : Object(body).emails[index]);
  const rest = difference.slice(head.length);
  return Object.keys(furtherRequirements).filter((id) => furtherRequirements[id]?.(rest, given));
}

function* checkValue(expected: unknown, sent: unknown, body: Buffer): Generator<ResponseFinding> {
  const { scheduled_at: at } = Object(expected);
  const malformed = malformedTime(expected, sent);
  // The form of a time is a requirement of its own.
  const compared = malformed === undefined ? sent : { ...Object(sent), scheduled_at: at };
  const difference =
    sent === undefined
      ? `a body that is not JSON in UTF-8: ${body.subarray(0, 100).toString()}`
      : differenceText(expected, compared);
  const ids = [...compare.body.ids, ...violatedBy(difference ?? "", expected)];
  yield findingOf(ids, compare.body.title, difference === undefined, {
    expected: "the body of the call, with nothing added, missing or changed",
    found: difference ?? "",
  });
  if (isTime(at))
    yield compare.times(
      malformed === undefined,
      `scheduled_at as ${at}, or as the same time with another offset`,
      malformed ?? "",
    );
}

/** The time of a message as it was sent, if the input has one and it is sent in another form than that of a time. */
function malformedTime(expected: unknown, sent: unknown): string | undefined {
  if (!isObject(sent) || !isTime(Object(expected).scheduled_at)) return undefined;
  const { scheduled_at: at } = sent;
  return at === undefined || at === null || isTime(at) ? undefined : JSON.stringify(at);
}
