import { operations } from "../../../generated/operations.ts";
import { count } from "../../../lib/count.ts";
import { missingOperation } from "../client/driver/driver.ts";
import type { Failure, RecordedExchange } from "../engine/outcome.ts";
import type { ClientCall } from "../exchange.ts";
import type { ContractResult, RequirementVerdict } from "./result.ts";

/** A failed test case, or a response that failed a response check. */
export interface FailedCase {
  ids: string[];
  check: string;
  /** The title of the test case; empty if the check has only one, or is a response check. */
  title: string;
  expected: string;
  found: string;
  /** The exchanges that lead to it, and it: more than one for a random sequence of requests. */
  exchanges: RecordedExchange[];
  /** The command that repeats a random sequence of requests. */
  repeat?: string;
  /** How many cases, or responses, fail the check. */
  times: number;
  /** Whether all its requirements are expected failures. */
  isExpected: boolean;
  isResponseCheck: boolean;
}

/** Everything that failed, test cases first. */
export function failedCases(result: ContractResult): FailedCase[] {
  const verdicts = verdictsOf(result);
  const isExpected = (ids: string[]): boolean => ids.every((id) => verdicts.get(id) === "expected failure");
  const ofCases = result.checks.flatMap(({ ids, title: check, cases }) => {
    const times = cases.filter(({ verdict }) => verdict === "fail").length;
    const shared = { ids, check, times, isExpected: isExpected(ids), isResponseCheck: false };
    return cases.flatMap(({ title, failure, exchanges }): FailedCase[] => {
      if (failure === undefined) return [];
      const { expected, found } = failure;
      const shown = shownExchanges(failure, exchanges, result);
      const repeat = repeatOf(failure, check);
      return [{ ...shared, title, expected, found, exchanges: shown, ...(repeat && { repeat }) }];
    });
  });
  const ofResponses = result.responseChecks.flatMap(({ ids, title: check, failed: times, failures }) => {
    const shared = { ids, check, title: "", times, isExpected: isExpected(ids), isResponseCheck: true };
    return failures.map(({ exchange, ...failure }) => ({
      ...shared,
      ...failure,
      exchanges: exchange === null ? [] : [exchange],
    }));
  });
  return [...ofCases, ...ofResponses];
}

/** The exchange that shows a failure, after those that lead to it if they are a random sequence. */
export function shownExchanges(
  { exchange, seed }: Pick<Failure, "exchange" | "seed">,
  exchanges: readonly RecordedExchange[],
  { client }: Pick<ContractResult, "client">,
): RecordedExchange[] {
  // A call of a client without a request: the requests of other calls show nothing.
  if (client !== undefined && exchange === null) return [];
  const index = exchange ?? exchanges.length - 1;
  return exchanges.slice(seed === undefined ? Math.max(0, index) : 0, index + 1);
}

/**
 * The command that repeats a random sequence of requests. The options for the server are to be added.
 *
 * @param check its title
 */
export function repeatOf({ seed }: Pick<Failure, "seed">, check: string): string | undefined {
  if (seed === undefined) return undefined;
  const [, kind = "random sequences"] = /^random sequences of (\w+ requests \w+)/.exec(check) ?? [];
  // Without spaces, it needs no quotation marks, which some formats escape.
  return `npx email-api-contract contract --profile model --grep ${kind.replaceAll(" ", ".")} --seed ${seed} --sequences 1`;
}

/** The failed cases of one check. */
export type FailedCheck = readonly [FailedCase, ...FailedCase[]];

export function byCheck(failed: readonly FailedCase[]): FailedCheck[] {
  const checks = Map.groupBy(failed, ({ ids, check }) => `${ids.join(" ")} ${check}`);
  return [...checks.values()].flatMap(([first, ...rest]) => (first === undefined ? [] : [[first, ...rest]]));
}

/** The verdict of each tested requirement, by id. */
export const verdictsOf = ({ requirements }: ContractResult): Map<string, RequirementVerdict> =>
  new Map(requirements.map(({ id, verdict }) => [id, verdict]));

/** The text of each tested requirement, by id. */
export const textsOf = ({ requirements }: ContractResult): Map<string, string> =>
  new Map(requirements.map(({ id, text }) => [id, text]));

/** Requirements with something in common. */
export interface Group {
  /** A sentence without a full stop; empty if the title of the section says all. */
  what: string;
  ids: string[];
  /** What the first of them shows, line by line, such as the output of a program. */
  detail?: string[];
}

/** A list that reports show below the failures. */
export interface Section {
  title: string;
  severity: "error" | "warning" | "information";
  groups: Group[];
}

/** The sections of a result that are not empty. */
export function sectionsOf(result: ContractResult): Section[] {
  const { requirements, stale, information } = result;
  const expected = requirements.filter(({ verdict }) => verdict === "expected failure").map(({ id }) => id);
  const one = (ids: string[]): Group[] => (ids.length === 0 ? [] : [{ what: "", ids }]);
  const sections: Section[] = [
    { title: "Expected failures", severity: "warning", groups: one(expected) },
    {
      title: "Stale expected failures, which pass: remove their entries",
      severity: "error",
      groups: one(stale),
    },
    { title: "Not verified", severity: "warning", groups: notVerified(result) },
    { title: "Errors", severity: "error", groups: errors(result) },
    {
      title:
        result.client === undefined
          ? "Not in the document, which is allowed"
          : "Good practice that the client does not follow, which is allowed",
      severity: "information",
      groups: information.map((what) => ({ what, ids: [] })),
    },
  ];
  return sections.filter(({ groups }) => groups.length > 0);
}

const notVerified = (result: ContractResult): Group[] =>
  byReason(result, "not verified", (reason) => {
    if (reason.startsWith(missingOperation)) return missingOperations(result.client?.operations ?? []);
    const [, names] = /^Not configured: (.*)\.$/.exec(reason) ?? [];
    if (names === undefined) return reason;
    return `${names.replace(/, ([^,]*)$/, " and $1")} ${names.includes(", ") ? "are" : "is"} not configured`;
  });

/** Errors by the first line of their reason, with the others of the first error. */
function errors(result: ContractResult): Group[] {
  const reasons = result.checks.flatMap(({ cases }) => cases.flatMap(({ reason }) => reason ?? []));
  return byReason(result, "error", firstLine).map((group) => {
    const first = reasons.find((reason) => firstLine(reason).replace(/\.$/, "") === group.what);
    const [, ...detail] = first?.split("\n") ?? [];
    return { ...group, ...(detail.length > 0 && { detail }) };
  });
}

function missingOperations(own: readonly string[]): string {
  const all = Object.keys(operations);
  const missing = all.filter((name) => !own.includes(name));
  return `The driver has ${own.length} of ${all.length} operations; it lacks ${missing.join(", ")}`;
}

const firstLine = (reason: string): string => reason.split("\n")[0] ?? reason;

/** The requirements with a verdict by reason, the largest group first. */
function byReason(
  { requirements, checks }: ContractResult,
  verdict: "not verified" | "error",
  describe: (reason: string) => string,
): Group[] {
  const groups = new Map<string, string[]>();
  for (const { id, reason: own } of requirements.filter((one) => one.verdict === verdict)) {
    const cases = checks.filter(({ ids }) => ids.includes(id)).flatMap((check) => check.cases);
    const reasons = cases.flatMap((one) => (one.verdict === verdict ? [one.reason ?? "No reason"] : []));
    const all = reasons.length === 0 && own !== undefined ? [own] : reasons;
    for (const what of new Set(all.map((reason) => describe(reason).replace(/\.$/, ""))))
      groups.set(what, [...(groups.get(what) ?? []), id]);
  }
  return [...groups]
    .map(([what, ids]) => ({ what, ids }))
    .sort((one, other) => other.ids.length - one.ids.length);
}

/** What the response checks of a result are about. */
export const checkedMessage = ({ client }: Pick<ContractResult, "client">): "request" | "response" =>
  client === undefined ? "response" : "request";

/** How often a response check was applied. Those of a client are applied to requests and replies: a run has fewer requests. */
export const checkedTimes = (result: Pick<ContractResult, "client">, times: number): string =>
  count(times, result.client === undefined ? checkedMessage(result) : "time");

/** How often it failed. */
export const failedTimes = (result: Pick<ContractResult, "client">, failed: number, times: number): string =>
  `fails ${result.client === undefined ? "in " : ""}${failed} of ${checkedTimes(result, times)}`;

/**
 * What belongs to an exchange besides its request and response, in the order in which it happened.
 * @param before the exchange shown above it: the notes on a call stand with its first attempt
 */
export const notesOf = (
  { hooks = [], call, disturbance, request }: RecordedExchange,
  before?: RecordedExchange,
): { label: string; text: string }[] => {
  const shown = isNextAttempt(call, before?.call) ? undefined : call;
  return [
    ...hooks.map((text) => ({ label: "hook", text })),
    ...(shown === undefined ? [] : [{ label: "call", text: shown.line }]),
    ...(shown?.attempts ?? []).map((text) => ({ label: "attempt", text })),
    ...(disturbance === undefined ? [] : [{ label: "service", text: disturbance }]),
    ...(shown === undefined ? [] : [{ label: "reply", text: shown.reply }]),
    ...(call === undefined ? [] : idempotencyKeyOf(request.headers)),
  ];
};

/** Whether two requests are of the same call, the second right after the first. */
const isNextAttempt = (call: ClientCall | undefined, before: ClientCall | undefined): boolean =>
  call !== undefined && call.line === before?.line && call.attempts.length === before.attempts.length + 1;

/** The header that tells the attempts of a call from other requests. */
function idempotencyKeyOf(headers: Record<string, string>): { label: string; text: string }[] {
  const key = headers["idempotency-key"];
  return key === undefined ? [] : [{ label: "header", text: `Idempotency-Key: ${key}` }];
}

/** The status of a response in words. */
export const statusText = ({ response }: RecordedExchange): string =>
  response.status === 0 ? "none" : String(response.status);

/** The columns of the table by topic. */
export const topicColumns = ({ counts }: ContractResult) =>
  [
    { title: "Pass", of: "pass" },
    { title: "Fail", of: "fail" },
    ...(counts.expectedFailure > 0 ? [{ title: "Expected failure", of: "expectedFailure" } as const] : []),
    { title: "Not verified", of: "notVerified" },
    { title: "Error", of: "error" },
  ] as const;

/** The verdicts in one line: `231 of 240 requirements pass, 3 fail, 6 not verified`. */
export function verdictLine({ counts, requirements }: ContractResult): string {
  const { pass, fail, expectedFailure, notVerified: unverified, error } = counts;
  return [
    `${pass} of ${count(requirements.length, "requirement")} pass`,
    ...(fail > 0 ? [`${fail} fail`] : []),
    ...(expectedFailure > 0 ? [count(expectedFailure, "expected failure")] : []),
    ...(unverified > 0 ? [`${unverified} not verified`] : []),
    ...(error > 0 ? [count(error, "error")] : []),
  ].join(", ");
}

/** What the exit code of a run means: `Exit code 0: every requirement passes.` */
export function exitLine({ exitCode, counts, stale, profile, requirements }: ContractResult): string {
  const meaning = (): string => {
    if (exitCode === 0) return `every tested requirement of the profile ${profile} passes`;
    const isMissing = requirements.some(({ reason }) => reason?.startsWith("Not configured: "));
    if (exitCode === 3) {
      const open = [
        ...(counts.notVerified > 0 ? [`${counts.notVerified} not verified`] : []),
        ...(counts.error > 0 ? [`${counts.error} with errors`] : []),
      ];
      return `no requirement fails, ${open.join(", ")}${isMissing ? ": see contract doctor" : ""}`;
    }
    if (counts.fail > 0) return `${count(counts.fail, "requirement fails", "requirements fail")}`;
    return `${count(stale.length, "expected failure passes", "expected failures pass")}`;
  };
  return `Exit code ${exitCode}: ${meaning()}.`;
}

/** Text that begins with a word gets a capital; a name such as `scheduled_at` stays as it is. */
export const capitalized = (text: string): string =>
  /^[a-z]+(?![\w.])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** `5.3 s` or `2 min 10 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** The text with invisible characters (control and format characters, separators) as codes; tabs and line breaks stay. */
export const visible = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      character === "\n" || character === "\t" ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )
    .toWellFormed();

/** The text in one line of at most `maxLength` characters. */
export function brief(text: string, maxLength: number): string {
  const line = visible(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 3).toWellFormed()}...`;
}
