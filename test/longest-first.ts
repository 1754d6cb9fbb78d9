import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files of tests that take long: they run the whole suite, wait, or start many processes. */
const long = [
  "test/client/guides.thorough.test.ts",
  "test/contract/client-suite/differences.thorough.test.ts",
  "test/contract/client-suite/parity.thorough.test.ts",
  "test/contract/recorded.thorough.test.ts",
  "test/contract/vitest.thorough.test.ts",
  "test/docs/guides/coverage.thorough.test.ts",
  "test/generated/editions.thorough.test.ts",
  "test/mcp/mcp.thorough.test.ts",
  "test/observe/proxied.thorough.test.ts",
  "test/observe/records/records.thorough.test.ts",
  "test/reports/sandbox.thorough.test.ts",
  "test/sandbox/crash/crash.thorough.test.ts",
  "test/sandbox/fuzz/attack.thorough.test.ts",
  "test/sandbox/sending.thorough.test.ts",
  "test/scripts/contract.test.ts",
  "test/workflows/workflows.test.ts",
];

/** Without times of an earlier run, Vitest begins with the largest files. One that takes long would run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => long.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
