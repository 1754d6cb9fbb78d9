import type { ReportExpectedFailure } from "../../generated/schema-types.ts";
import type { ExpectedFailure } from "../config/load.ts";
import type { Verdict } from "../engine/outcome.ts";
import { requestName } from "../exchange.ts";
import type { ContractResult, RequirementVerdict } from "./result.ts";

/** Where a requirement passes or fails. */
export interface Place {
  id: string;
  operation: string | undefined;
  /** The test case with the title of its check, as in the JUnit report. */
  name: string;
}

type Found = Pick<ContractResult, "traffic" | "checks" | "responseChecks">;
type Failure = ContractResult["responseChecks"][number]["failures"][number];

/** The name of a test case. In traffic, titles count how often something happened. */
const caseName = ({ traffic }: Found, check: string, title: string): string =>
  title === "" || traffic !== undefined ? check : `${check}: ${title}`;

const operationOf = ({ exchange }: Pick<Failure, "exchange">): string | undefined =>
  exchange === null ? undefined : requestName(exchange).operation;

export const isFailure = (verdict: RequirementVerdict | undefined): boolean =>
  verdict === "fail" || verdict === "error";

/** Where each requirement passes or fails, before expected failures count, and why. */
export function placesOf(result: Found): (Place & { verdict: Verdict; reason: string })[] {
  const places = (ids: readonly string[], place: Omit<ReturnType<typeof placesOf>[number], "id">) =>
    ids.map((id) => ({ id, ...place }));
  const textOf = ({ expected, found }: Pick<Failure, "expected" | "found">) =>
    `expected ${expected}, found ${found}`;
  return [
    ...result.checks.flatMap(({ ids, title, cases }) =>
      cases.flatMap(({ operation, verdict, failure, reason = "", ...one }) => {
        const name = caseName(result, title, one.title);
        return places(ids, { operation, name, verdict, reason: failure ? textOf(failure) : reason });
      }),
    ),
    ...result.responseChecks.flatMap(({ ids, title: name, verdict, failures }) =>
      verdict === "pass"
        ? places(ids, { operation: undefined, name, verdict, reason: "" })
        : failures.flatMap((one) =>
            places(ids, { operation: operationOf(one), name, verdict, reason: textOf(one) }),
          ),
    ),
  ];
}

/** Marks the failures that are excused for each of their requirements. */
export function withExcused<One extends Found>(
  result: One,
  isExcused: (place: Place) => boolean,
  word: "expected" | "known",
): One {
  const mark = <Item extends { excused?: typeof word }>(
    item: Item,
    ids: readonly string[],
    place: Omit<Place, "id">,
  ) =>
    item.excused === undefined && ids.length > 0 && ids.every((id) => isExcused({ id, ...place }))
      ? { ...item, excused: word }
      : item;
  return {
    ...result,
    checks: result.checks.map(({ ids, title, cases, ...check }) => ({
      ...check,
      ids,
      title,
      cases: cases.map((one) => {
        const place = { operation: one.operation, name: caseName(result, title, one.title) };
        return isFailure(one.verdict) ? mark(one, ids, place) : one;
      }),
    })),
    responseChecks: result.responseChecks.map((rule) => ({
      ...rule,
      // Reports show the first one.
      failures: rule.failures
        .map((one) => mark(one, rule.ids, { operation: operationOf(one), name: rule.title }))
        .toSorted((one, other) => Number(!!one.excused) - Number(!!other.excused)),
    })),
  };
}

export const covers = (entry: ExpectedFailure, { id, operation, name }: Place): boolean =>
  entry.id === id &&
  (entry.operation === undefined || entry.operation === operation) &&
  (entry.case === undefined || entry.case === name);

/** Whether the last day of an entry is over. */
const isExpired = ({ until }: ExpectedFailure): boolean =>
  until !== undefined && until < new Date().toISOString().slice(0, 10);

/** Whether a failure is expected by an entry that has not expired. */
export function expectationOf(entries: readonly ExpectedFailure[]): (place: Place) => boolean {
  const valid = entries.filter((entry) => !isExpired(entry));
  return (place) => valid.some((entry) => covers(entry, place));
}

/**
 * What the run shows of an entry.
 * @param verdict that of its requirement; undefined if the run does not test it
 */
export function stateOf(
  entry: ExpectedFailure,
  places: ReturnType<typeof placesOf>,
  verdict: RequirementVerdict | undefined,
): ReportExpectedFailure["state"] {
  if (verdict === undefined) return "not tested";
  if (isExpired(entry)) return "expired";
  const own = places.filter((place) => covers(entry, place)).map((place) => place.verdict);
  if (own.some(isFailure)) return "fails";
  const passes = own.length > 0 && own.every((one) => one === "pass");
  return verdict === "pass" || passes ? "passes" : "not tested";
}
