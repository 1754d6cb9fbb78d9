import { type OperationId, operations } from "../generated/operations.ts";
import { requirements } from "../generated/requirements.ts";
import { usageError } from "../lib/user-error.ts";
import type { Check, TestCase } from "./engine/check.ts";
import type { Profile } from "./engine/settings.ts";
import recorded from "./recorded.json" with { type: "json" };

type Named = Pick<Check<never>, "ids" | "title">;
type Tested = Pick<TestCase<never>, "operation">;

/** A part of the option `--grep`. */
export interface Term {
  text: string;
  /** The requirement that it names. */
  id?: string;
  /** The operations that it names. */
  operations?: readonly string[];
  has(check: Named, testCase: Tested): boolean;
}

/** A part of the test cases: those whose checks' ids and title a regular expression matches, or that terms select. */
export type Grep = RegExp | readonly Term[];

/** The name of a check: its ids, then its title. */
export const nameOf = ({ ids, title }: Named): string => [...ids, title].join(" ");

/**
 * The terms of the option `--grep`.
 * @throws UserError with exit code 2 if there is none, or one is invalid, or is the id of no requirement
 */
export function termsOf(grep: string): Term[] {
  // A comma within brackets belongs to a regular expression.
  const texts = grep
    .split(/,(?![^([{]*[)\]}])/)
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (texts.length === 0) throw usageError("--grep is empty", `It accepts ${accepted}.`);
  return texts.map(termOf);
}

export const isSelected = (grep: Grep, check: Named, testCase: Tested): boolean =>
  grep instanceof RegExp ? grep.test(nameOf(check)) : grep.some((term) => term.has(check, testCase));

/** The requirements of a profile that only responses show, whatever the check. @param grep those of them that are terms */
export const ofResponses = (profile: Profile, grep?: Grep): string[] =>
  recorded.profiles[profile].responseChecks
    .split(" ")
    .filter((id) => grep === undefined || (Array.isArray(grep) && grep.some((term) => term.id === id)));

function termOf(text: string): Term {
  const id = text.toUpperCase();
  if (/^[A-Z]+-\d+$/.test(id)) {
    if (!Object.hasOwn(requirements, id))
      throw usageError(`--grep has ${id}, which is not a requirement`, idsHint(id.split("-")[0] ?? ""));
    return { text, id, has: ({ ids }) => ids.includes(id) };
  }
  const ofText = operationsOf(text);
  if (ofText.length > 0)
    return {
      text,
      operations: ofText,
      has: ({ ids }, { operation }) => {
        // A case without an operation of its own is about those of its requirements.
        const own = operation === undefined ? ids.flatMap(operationsOfRequirement) : [operation];
        return ofText.some((one) => own.includes(one));
      },
    };
  if (/\/api\//i.test(text) || /^([A-Z]+ )?\/\S*$/i.test(text))
    throw usageError(
      `--grep has ${text}, which is not an operation of this API`,
      `Its operations: ${places.join(", ")}.`,
    );
  const pattern = grepPattern(text);
  return { text, has: (check) => pattern.test(nameOf(check)) };
}

function idsHint(topic: string): string {
  const own = Object.keys(requirements).filter((id) => id.startsWith(`${topic}-`));
  if (own.length > 0) return `The ids of this topic go from ${own[0]} to ${own.at(-1)}.`;
  return "Give an id, such as SEND-9: `email-api-contract contract --dry-run` lists them.";
}

const places = Object.values(operations).map(({ method, path }) => `${method} ${path}`);

/** The operations that a term names: one by its id, or those of a path, with or without a method. Path parameters can have any name. */
export function operationsOf(text: string): OperationId[] {
  const [, method, path] = /^(?:([a-z]+) +)?(\/\S*)$/i.exec(text) ?? [];
  const plain = (one: string): string =>
    one
      .toLowerCase()
      .replace(/^\/api\/v1(?=\/)/, "")
      .replaceAll(/\{[^}]*\}/g, "{}");
  return (Object.keys(operations) as OperationId[]).filter((id) => {
    if (path === undefined) return id.toLowerCase() === text.toLowerCase();
    const row = operations[id];
    return plain(row.path) === plain(path) && (method === undefined || row.method === method.toUpperCase());
  });
}

const rows: Record<string, { operations: readonly string[] }> = requirements;

export const operationsOfRequirement = (id: string): readonly string[] => rows[id]?.operations ?? [];

/** An id at the end of a pattern stands for itself alone: SEND-3 does not match SEND-30. */
export function grepPattern(text: string): RegExp {
  try {
    return new RegExp(text.replaceAll(/[A-Z]+-\d+(?=$|[|)])/gi, "$&(?!\\d)"), "i");
  } catch (cause) {
    throw usageError(`--grep must be a regular expression (got "${text}")`, `It accepts ${accepted}.`, cause);
  }
}

const accepted = "ids (SEND-9), operations (sendEmail), paths (POST /api/v1/emails) and words of titles";

/**
 * @param profiles others to choose from
 * @param selected how many test cases some terms select in a profile
 * @param unknown what to do about a requirement that no profile has
 * @throws UserError with exit code 2 if one of the terms selects nothing, which says where it does
 */
export function assertSelected<Of extends string>(
  terms: readonly Term[],
  profile: Of,
  profiles: readonly Of[],
  selected: (terms: readonly Term[], profile: Of) => number,
  unknown: (id: string) => string,
): void {
  const empty = terms.find((term) => selected([term], profile) === 0);
  if (empty === undefined) return;
  const elsewhere = profiles.filter((one) => one !== profile && selected([empty], one) > 0);
  const hint =
    elsewhere.length > 0
      ? `Use --profile ${elsewhere.join(" or ")}.`
      : empty.id === undefined
        ? `It accepts ${accepted}.`
        : unknown(empty.id);
  throw usageError(`--grep has ${empty.text}, but no check of the profile ${profile} is about it`, hint);
}
