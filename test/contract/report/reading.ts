import type { RecordedExchange } from "../engine/outcome.ts";
import type { ContractResult, RequirementVerdict } from "./result.ts";

/** A law that did not hold in one case, or in one answer. */
export interface Broken {
  ids: string[];
  law: string;
  /** The case; empty where the law has one only, or is one of every answer. */
  title: string;
  expected: string;
  found: string;
  exchange: RecordedExchange | undefined;
  /** In how many cases, or answers, the law did not hold. */
  times: number;
  /** Whether all requirements of it are expected to fail. */
  isExpected: boolean;
  /** Whether it is a law of every answer, and not of one call. */
  isOfWire: boolean;
}

/** Everything that did not hold, trials first. Of laws of every answer the first breaches, as far as they are kept. */
export function brokenIn(result: ContractResult): Broken[] {
  const verdicts = verdictsOf(result);
  const isExpected = (ids: string[]): boolean => ids.every((id) => verdicts.get(id) === "expected failure");
  const ofTrials = result.laws.flatMap(({ ids, law, trials }) => {
    const times = trials.filter(({ verdict }) => verdict === "fail").length;
    return trials.flatMap(({ title, breach, exchanges }): Broken[] => {
      if (breach === undefined) return [];
      const { expected, found, exchange } = breach;
      const shown = exchange === null ? exchanges.at(-1) : exchanges[exchange];
      const of = { isExpected: isExpected(ids), isOfWire: false };
      return [{ ids, law, title, expected, found, exchange: shown, times, ...of }];
    });
  });
  const ofWire = result.wire.flatMap(({ ids, law, broken, breaches }) =>
    breaches.map(
      ({ expected, found, exchange }): Broken => ({
        ids,
        law,
        title: "",
        expected,
        found,
        exchange: exchange ?? undefined,
        times: broken,
        isExpected: isExpected(ids),
        isOfWire: true,
      }),
    ),
  );
  return [...ofTrials, ...ofWire];
}

/** What broke one law, one thing at least. */
export type BrokenLaw = readonly [Broken, ...Broken[]];

/** What is broken by law, so that the many cases of one do not hide the others. */
export function byLaw(broken: readonly Broken[]): BrokenLaw[] {
  const laws = Object.values(Object.groupBy(broken, ({ ids, law }) => `${ids.join(" ")} ${law}`));
  return laws.flatMap(([first, ...rest] = []) => (first === undefined ? [] : [[first, ...rest] as const]));
}

/** The verdict of each requirement that was tried, by its id. */
export const verdictsOf = ({ requirements }: ContractResult): Map<string, RequirementVerdict> =>
  new Map(requirements.map(({ id, verdict }) => [id, verdict]));

/** The topic of each requirement, by its id. */
export const topicsOf = ({ requirements, notTried }: ContractResult): Map<string, string> =>
  new Map([...requirements, ...notTried].map(({ id, topic }) => [id, topic]));

/** What each requirement says, by its id. */
export const textsOf = ({ requirements }: ContractResult): Map<string, string> =>
  new Map(requirements.map(({ id, text }) => [id, text]));

/** Requirements with one thing in common. */
export interface Group {
  /** What it is, as a sentence without a full stop. */
  what: string;
  ids: string[];
}

/** The requirements that are not verified, by what is missing, the largest group first. */
export const missingIn = (result: ContractResult): Group[] =>
  grouped(result, "not verified", (reason) => {
    const [, names] = /^Not configured: (.*)\.$/.exec(reason) ?? [];
    if (names === undefined) return reason;
    return `${names.replace(/, ([^,]*)$/, " and $1")} ${names.includes(", ") ? "are" : "is"} not configured`;
  });

/** The requirements that could not be told for an error, by the error. */
export const errorsIn = (result: ContractResult): Group[] =>
  grouped(result, "error", (reason) => reason.split("\n")[0] ?? reason);

function grouped(
  { requirements, laws }: ContractResult,
  verdict: "not verified" | "error",
  named: (reason: string) => string,
): Group[] {
  const groups = new Map<string, string[]>();
  for (const { id } of requirements.filter((one) => one.verdict === verdict)) {
    const trials = laws.filter(({ ids }) => ids.includes(id)).flatMap((law) => law.trials);
    const reasons = trials.flatMap((trial) =>
      trial.verdict === verdict ? [named(trial.reason ?? "No reason was given.").replace(/\.$/, "")] : [],
    );
    for (const what of new Set(reasons)) groups.set(what, [...(groups.get(what) ?? []), id]);
  }
  return [...groups]
    .map(([what, ids]) => ({ what, ids }))
    .sort((one, other) => other.ids.length - one.ids.length);
}

/** How the requirements ended, in a line: `231 of 240 promises hold, 3 are broken, 6 are not verified`. */
export function verdictLine({ counts, requirements }: ContractResult): string {
  const { pass, fail, expectedFailure, notVerified, error } = counts;
  const parts = [
    `${pass} of ${requirements.length} promises hold`,
    ...(fail > 0 ? [`${fail} ${fail === 1 ? "is" : "are"} broken`] : []),
    ...(expectedFailure > 0 ? [`${expectedFailure} failed as expected`] : []),
    ...(notVerified > 0 ? [`${notVerified} ${notVerified === 1 ? "is" : "are"} not verified`] : []),
    ...(error > 0 ? [`${error} ended in an error`] : []),
  ];
  return parts.join(", ");
}

/** What the exit status of a run means. */
export function exitMeaning({ exitCode, counts, stale, profile }: ContractResult): string {
  if (exitCode === 0) return `every promise of the profile ${profile} that the run tries holds`;
  if (exitCode === 3) return "nothing is broken, and some promises are not verified";
  if (counts.fail > 0) return "the server broke a promise";
  return stale.length === 1 ? "an expected failure no longer fails" : "expected failures no longer fail";
}

/** With a capital letter in front. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Seconds or minutes, for people. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A number with its word, in one or many. */
export const counted = (count: number, word: string, many = `${word}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? word : many}`;

/**
 * A text in which nothing is hidden: what a terminal or a page would obey or not show (control letters, marks for the direction
 * of text) stands there as its code. Tabs and line breaks stay.
 */
export const visible = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (letter) =>
      letter === "\n" || letter === "\t" ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`,
    )
    .toWellFormed();

/** The text in one line of at most so many characters. */
export function brief(text: string, longest: number): string {
  const line = visible(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 3).toWellFormed()}...`;
}
