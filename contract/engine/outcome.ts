import type { ReportCase, ReportExchange, ReportResponseCheck } from "../../generated/schema-types.ts";
import type { Exchange } from "../exchange.ts";
import type { ResponseFinding } from "../response-checks/finding.ts";
import type { Tag } from "./settings.ts";

// As reports have them: their schema describes each property.
/** A request and its response for reports: keys redacted, long texts cut. */
export type RecordedExchange = ReportExchange;
export type Failure = NonNullable<ReportCase["failure"]>;

type FailedResponse = NonNullable<ResponseFinding["failure"]> & { exchange: Exchange | undefined };

export class Observations {
  /** All exchanges that it used, including shared ones of earlier cases. */
  readonly exchanges: Exchange[] = [];
  /** By requirements and title. */
  readonly responseChecks = new Map<string, ResponseCheckTally<FailedResponse>>();
  readonly information = new Set<string>();
  /** The requirements that it compared responses with, if its check names none, and how many. */
  readonly compared = new Map<string, number>();
  requests = 0;

  /** @param exchange the one that shows the findings */
  note(exchange: Exchange | undefined, ...findings: readonly ResponseFinding[]): void {
    for (const { ids, title, failure } of findings) {
      // The same check of two operations can be about two requirements.
      const name = `${ids.join(" ")} ${title}`;
      const tally = this.responseChecks.get(name) ?? { ids, title, responses: 0, failures: [] };
      this.responseChecks.set(name, tally);
      // A response may fail a check for several things.
      if (!exchange || tally.failures.at(-1)?.exchange !== exchange) tally.responses += 1;
      if (failure !== undefined) tally.failures.push({ ...failure, exchange });
    }
  }
}

interface ResponseCheckTally<Failed> {
  ids: readonly string[];
  title: string;
  responses: number;
  failures: Failed[];
}

export interface CaseOutcome extends ReportCase {
  ids: string[];
  /** Whether only what its responses show counts. */
  isOutside?: boolean;
  check: string;
  tags: Tag[];
  responseChecks: ResponseCheckTally<ReportResponseCheck["failures"][number]>[];
  /** What responses have in addition to the document, which is allowed. */
  information: string[];
  /** Shared requests count for the first test case that uses them. */
  requests: number;
}

/** Characters. */
const maxBody = 16_384;
const maxHeader = 2048;
const maxText = 2000;
/** Redaction covers this many more characters, so that no key is cut in the middle. */
const overlap = 8192;

type Redact = (text: string) => string;

/** A text for reports: cut if it is long, keys redacted. */
export const recordText = (text: string, redact: Redact, longest = maxText): string =>
  text.length <= longest
    ? redact(text)
    : `${copyOf(redact(text.slice(0, longest + overlap)).slice(0, longest))}... (${text.length} characters in all)`;

/** The end of a text that was cut when it was recorded. */
export const cutOff = /\.\.\. \((\d+) characters in all\)$/;

/** How long a recorded text was before it was cut. */
export const lengthOf = (text: string): number => Number(cutOff.exec(text)?.[1] ?? text.length);

/** An exchange for reports: long texts cut, keys redacted. */
export function recordExchange(exchange: Exchange, redact: Redact): RecordedExchange {
  const header = (value: string): string => recordText(value, redact, maxHeader);
  const headers = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [redact(name), header(value)]));
  const body = (text: string): string => recordText(text, redact, maxBody);
  const { atOnce, call, disturbance, request } = exchange;
  const { key = "full" } = request;
  return {
    // A proxy measures fractions of milliseconds.
    startedAt: Math.round(exchange.startedAt),
    milliseconds: Math.round(exchange.milliseconds * 10) / 10,
    method: exchange.request.method,
    path: redact(exchange.request.path),
    ...(exchange.hooks === undefined ? {} : { hooks: exchange.hooks.map(redact) }),
    ...(atOnce && { atOnce }),
    ...(call && {
      call: { line: body(call.line), reply: body(call.reply), attempts: call.attempts.map(body) },
    }),
    ...(disturbance !== undefined && { disturbance }),
    ...(typeof key === "string" ? { key } : {}),
    request: {
      headers: headers(exchange.sent.headers),
      body: exchange.sent.text === undefined ? null : body(exchange.sent.text),
    },
    response: { status: exchange.status, headers: headers(exchange.headers), body: body(exchange.text) },
  };
}

/** The start of a text is a reference to all of it, in V8: a body may have megabytes, and a report lives as long as the run. */
const copyOf = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
