import type { OperationId } from "../../generated/operations.ts";
import type { Fixtures, HookName, Role, Settings, Tag } from "./settings.ts";
import type { Tester } from "./tester.ts";

/** Fixtures with several settings that checks need one by one. */
type Section = "domains" | "lists" | "fields" | "contacts" | "messages";

/** Something a check needs from the configuration, by its name there. */
export type Need =
  | `keys.${Role}`
  | `hooks.${HookName}`
  | `domains.ofRole.${Role}`
  | {
      [Name in keyof Fixtures]-?: Name extends Section
        ? `${Name}.${string & keyof NonNullable<Fixtures[Name]>}`
        : Name;
    }[keyof Fixtures];

/** One concrete case of a requirement. `Subject`: what a test case gets, such as a `Tester` of a server. */
export interface TestCase<Subject = Tester> {
  /** Tells the cases of a check apart; empty if it has only one. */
  title: string;
  /** The operation that the case tests: it decides which profiles include the case. */
  operation?: OperationId;
  /** Whether the profile `core` includes it; default: the first case of a check none of whose cases sets it. */
  core?: boolean;
  /** Whether the operations that it needs on its way are in the run; default: it finds out. */
  isThere?(settings: Settings): boolean;
  /** If one of these is missing, the case is not verified. The key `full` is always needed. */
  needs?: readonly Need[];
  /** The requirements that it verifies on a server with every fixture, beside those of its check or in their place. */
  verifies?: readonly string[];
  /** @throws AssertionFailure if the requirement is not met, NotVerified if that cannot be tested */
  run(tester: Subject): Promise<unknown>;
}

export type CaseOptions = Omit<TestCase, "title" | "run">;
type RunCase<Subject> = TestCase<Subject>["run"];

/** A test case. As with Vitest's `test`, options stand before the function. */
export function testCase<Subject = Tester>(
  title: string,
  ...rest: [RunCase<Subject>] | [CaseOptions, RunCase<Subject>]
): TestCase<Subject> {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest;
  return { title, ...options, run };
}

/** The result of requests that several test cases look at; they are sent once per run. */
export type Scenario<Value> = ((tester: Tester) => Promise<Value>) & { needs: readonly Need[] };

/** @param name tells the scenarios of a run apart */
export const scenario = <Value>(
  name: string,
  needs: readonly Need[],
  create: (tester: Tester) => Promise<Value>,
): Scenario<Value> => Object.assign((tester: Tester) => tester.once(name, create, true), { needs });

/** A test case that looks at a scenario, and needs what that needs; by default part of the profile `core`. */
export function caseOf<Value>(
  given: Scenario<Value>,
  title: string,
  ...rest: [RunWith<Value>] | [CaseOptions, RunWith<Value>]
): TestCase {
  const [{ core = true, needs = [], ...options }, run] = rest.length === 1 ? [{}, rest[0]] : rest;
  const all = { core, needs: [...given.needs, ...needs], ...options };
  return testCase(title, all, async (tester) => run(await given(tester), tester));
}

type RunWith<Value> = (value: Value, tester: Tester) => unknown;

/** Verifies one or more requirements with one or more test cases. */
export interface Check<Subject = Tester> extends Required<Preparation> {
  ids: readonly string[];
  /** The requirement as a sentence in the present tense without a full stop. */
  title: string;
  cases: readonly TestCase<Subject>[];
}

interface Preparation {
  /** `clock` moves the server's clock, so nothing runs in parallel; `burst` uses up a rate limit, and runs last. */
  tags?: readonly Tag[];
  /** Whether its cases run with nothing in parallel, because they observe or prepare state that others share. */
  alone?: boolean;
  /** Whether its cases start before the others, because they wait for the server while the others run. */
  waits?: boolean;
}

/** All cases need `needs`; `operation`, `core` and `verifies` apply to the cases that do not set them. */
export type CheckOptions = Preparation & Pick<TestCase, "needs" | "operation" | "core" | "verifies">;

type Cases<Subject> = readonly TestCase<Subject>[] | RunCase<Subject>;

/**
 * Defines a check.
 * @param ids the requirements it verifies
 * @param title the requirement as a sentence in the present tense without a full stop
 * @param rest the options, if there are any, and the test cases or the function of the only one
 */
export function check<Subject = Tester>(
  ids: string | readonly string[],
  title: string,
  ...rest: [Cases<Subject>] | [CheckOptions, Cases<Subject>]
): Check<Subject> {
  const [options, cases] = rest.length === 1 ? [{}, rest[0]] : rest;
  const { needs = [], tags = [], alone = false, waits = false, ...ofCases } = options;
  const list = typeof cases === "function" ? [testCase("", cases)] : cases;
  return {
    ids: [ids].flat(),
    title,
    cases: list.map((one) => needing(needs, { ...ofCases, ...one })),
    tags,
    alone,
    waits,
  };
}

/** Defines checks that look at one scenario, with one case each; by default none is part of the profile `core`. */
export const checksOf =
  <Value>(given: Scenario<Value>, { core = false, ...options }: CheckOptions = {}) =>
  (ids: string | readonly string[], title: string, run: RunWith<Value>): Check =>
    check(ids, title, options, [caseOf(given, "", { core }, run)]);

/** The checks with needs that they have in common. */
export const withNeeds = (needs: readonly Need[], checks: readonly Check[]): Check[] =>
  checks.map((one) => ({ ...one, cases: one.cases.map((inner) => needing(needs, inner)) }));

const needing = <Subject>(needs: readonly Need[], one: TestCase<Subject>): TestCase<Subject> => ({
  ...one,
  needs: [...needs, ...(one.needs ?? [])],
});

/** The checks of modules that export nothing else. */
export const checksIn = <Subject>(modules: readonly Record<string, readonly Check<Subject>[]>[]) =>
  modules.flatMap((module) =>
    // A module lists its exports by name, but for that of a test runner.
    Object.entries(module)
      .sort(([name], [other]) => (name < other ? -1 : 1))
      .flatMap(([, checks]) => checks),
  );
