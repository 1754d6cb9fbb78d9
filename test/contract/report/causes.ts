import { operations } from "../../../generated/operations.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { operationAt } from "../operation-at.ts";
import { type Broken, brief, brokenIn, counted } from "./reading.ts";
import type { ContractResult } from "./result.ts";

/** Something that many promises fall with. */
export interface Cause {
  /** What it is, as a sentence without a full stop. */
  what: string;
  /** The requirements that fall with it. */
  ids: string[];
}

/** What is broken, apart from what is expected to be, and why. */
export interface Findings {
  /** What is wrong with the address or the server as a whole, in a sentence; undefined where nothing is. */
  diagnosis: string | undefined;
  /** Each operation that is not there, the one that most promises fall with first. */
  causes: Cause[];
  /** What fell with none of the causes. */
  others: Broken[];
  /** What fell with one. */
  explained: Broken[];
}

/** How a server answers that does not have an operation. */
const absent: readonly number[] = [404, 405, 501];
/** Whatever is called, these may come first: they say nothing of whether it is there. */
const before: readonly number[] = [401, 429];

/** What broke, by cause. */
export function findingsIn(result: ContractResult): Findings {
  const broken = brokenIn(result).filter(({ isExpected }) => !isExpected);
  const answers = answersIn(result);
  const missing = missingIn(answers);
  const groups = Map.groupBy(broken, (one) => causeOf(one, missing));
  const others = groups.get(undefined) ?? [];
  const explained = broken.filter((one) => !others.includes(one));
  const diagnosis = diagnosisOf(result, answers, explained.length > 0 ? missing : new Map());
  // Where all of it is wrong, no part of it is worth a word.
  if (diagnosis !== undefined) return { diagnosis, causes: [], others: broken, explained: [] };
  const causes = [...groups].flatMap(([name, own]) => {
    const ids = [...new Set(own.flatMap((one) => one.ids))];
    return name === undefined ? [] : [{ what: `${name} answers ${missing.get(name)} to every call`, ids }];
  });
  causes.sort((one, other) => other.ids.length - one.ids.length);
  return { diagnosis, causes, others, explained };
}

/** A cause with how much falls with it: `POST /x answers 404 to every call: 40 promises fall with it`. */
export const causeLine = ({ what, ids }: Cause): string =>
  `${what}: ${counted(ids.length, "promise")} ${ids.length === 1 ? "falls" : "fall"} with it`;

/** Every exchange that the result keeps, once. */
function answersIn({ laws, wire }: ContractResult): RecordedExchange[] {
  const all = [
    ...laws.flatMap(({ trials }) => trials.flatMap(({ exchanges }) => exchanges)),
    ...wire.flatMap(({ breaches }) => breaches.flatMap(({ exchange }) => exchange ?? [])),
  ];
  const key = ({ startedAt, milliseconds, method, path }: RecordedExchange): string =>
    [startedAt, milliseconds, method, path].join(" ");
  return [...new Map(all.map((one) => [key(one), one])).values()];
}

/** The operations that were answered as if there were none, by method and path, with the answer. */
function missingIn(answers: readonly RecordedExchange[]): Map<string, string> {
  const groups = Map.groupBy(answers, nameOf);
  return new Map(
    [...groups].flatMap(([name, own]) => {
      const telling = own.filter(({ received }) => !before.includes(received.status));
      const isMissing =
        telling.length > 0 && telling.every(({ received }) => absent.includes(received.status));
      const [first] = telling;
      return name === undefined || first === undefined || !isMissing
        ? []
        : [[name, answerOf(first)] as const];
    }),
  );
}

/** What the operation is called that a call is one of, by its method and path. */
function nameOf({ method, path }: Pick<RecordedExchange, "method" | "path">): string | undefined {
  const id = operationAt(method, path);
  return id && `${operations[id].method} ${operations[id].path}`;
}

/** `404 not_found`. */
function answerOf({ received: { status, body } }: RecordedExchange): string {
  const type = typeIn(body);
  return type === undefined ? String(status) : `${status} ${brief(type, 60)}`;
}

function typeIn(body: string): string | undefined {
  try {
    const type: unknown = (JSON.parse(body) as { error?: { type?: unknown } } | null)?.error?.type;
    return typeof type === "string" ? type : undefined;
  } catch {
    return undefined;
  }
}

/** The operation that is to blame; undefined where something else is, such as when 404 is the right answer with a fault in it. */
function causeOf(
  { exchange, expected, isOfWire }: Broken,
  missing: ReadonlyMap<string, string>,
): string | undefined {
  if (exchange === undefined || isOfWire) return undefined;
  const { status } = exchange.received;
  const name = nameOf(exchange);
  const isIt = absent.includes(status) && !expected.includes(String(status));
  return isIt && name !== undefined && missing.has(name) ? name : undefined;
}

/** Fewer answers than these say nothing of a whole server. */
const enough = 3;

function diagnosisOf(
  { baseUrl }: ContractResult,
  answers: readonly RecordedExchange[],
  missing: ReadonlyMap<string, string>,
): string | undefined {
  const [first] = answers;
  if (first === undefined || answers.length < enough) return undefined;
  const ask = `is ${baseUrl} the address of the API, as it stands before /api/v1?`;
  if (answers.every(isRedirect)) {
    const { status, headers } = first.received;
    const target = headers.location === undefined ? "" : ` to ${brief(headers.location, 200)}`;
    return `Every answer is a redirect, such as ${status}${target}: ${ask}`;
  }
  if (answers.every(isPage)) return `Every answer is a page in HTML, not JSON: ${ask}`;
  const called = new Set(answers.flatMap((one) => nameOf(one) ?? []));
  const [one] = missing;
  if (one === undefined || called.size < 2 || called.size > missing.size) return undefined;
  return `No operation that was called is there, such as ${one[0]}, which answers ${one[1]}: ${ask}`;
}

const isRedirect = ({ received: { status } }: RecordedExchange): boolean => status >= 300 && status < 400;

const isPage = ({ received: { headers, body } }: RecordedExchange): boolean =>
  /^text\/html\b/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype\s+)?html\b/i.test(body);
