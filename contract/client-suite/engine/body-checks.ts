import { operations } from "../../../generated/operations.ts";
import { isObject } from "../../../lib/is-object.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import type { Call } from "../driver/driver.ts";
import type { WireRequest } from "../service/wire.ts";
import { differenceOf, isTime } from "./compare.ts";

/** Checks the body of a request against the input of its call. */
export function checkBody({ headers, body }: WireRequest, call: Call): ResponseFinding[] {
  if (operations[call.operation].requestBody === null)
    return [
      finding(["GEN-3"], "has a body only if its operation has one", body.length === 0, {
        expected: "no body",
        found: `a body of ${body.length} bytes`,
      }),
    ];
  const type = headers["content-type"];
  const isTyped = /^application\/json *(;|$)/i.test(type ?? "");
  const typed = finding(["GEN-3"], "has the media type application/json", isTyped || body.length === 0, {
    expected: "content-type: application/json",
    found: `content-type: ${type ?? "none"}`,
  });
  // The body of an operation may be optional.
  const isOmitted = call.body === undefined && body.length === 0;
  return isOmitted ? [typed] : [typed, ...valueFindings(call.body ?? {}, jsonIn(body), body)];
}

/** What the body says; undefined if it is not JSON in UTF-8, which starts with no byte order mark. */
function jsonIn(body: Buffer): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return JSON.parse(text, withDecimals) as unknown;
  } catch {
    return undefined;
  }
}

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
  Number.isInteger(value) && /[.eE]/.test(context?.source ?? "") ? new Decimal(context?.source ?? "") : value;

function valueFindings(expected: unknown, sent: unknown, body: Buffer): ResponseFinding[] {
  const malformed = malformedTime(expected, sent);
  // The form of a time is a requirement of its own.
  const compared =
    malformed === undefined ? sent : { ...Object(sent), scheduled_at: Object(expected).scheduled_at };
  const difference =
    sent === undefined
      ? `a body that is not JSON in UTF-8: ${body.subarray(0, 100).toString()}`
      : differenceOf(expected, compared);
  return [
    finding(["GEN-3"], "has a body that equals the input, as JSON", difference === undefined, {
      expected: "the body of the call, with nothing added, missing or changed",
      found: difference ?? "",
    }),
    ...(isTime(Object(expected).scheduled_at)
      ? [
          finding(["GEN-6"], "has times of ISO 8601 with an offset from UTC", malformed === undefined, {
            expected: `scheduled_at as ${Object(expected).scheduled_at}, or as the same time with another offset`,
            found: malformed ?? "",
          }),
        ]
      : []),
  ];
}

/** The time of a message as it was sent, if the input has one and it is sent in another form than that of a time. */
function malformedTime(expected: unknown, sent: unknown): string | undefined {
  if (!isObject(sent) || !isTime(Object(expected).scheduled_at)) return undefined;
  const { scheduled_at: at } = sent;
  return at === undefined || at === null || isTime(at) ? undefined : JSON.stringify(at);
}
