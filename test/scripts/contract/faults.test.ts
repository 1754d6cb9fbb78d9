import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContractFailure } from "../../../scripts/contract/result.ts";
import type { Mock } from "../../../scripts/mock/prism.ts";
import { startMock } from "../../../scripts/mock.ts";
import { faultGroups, together } from "./faults.ts";
import { runOnFaulty } from "./run.ts";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

describe.each(Object.entries(faultGroups))("a server that breaks promises is found out, %s:", (_, faults) => {
  let all: ContractFailure[];
  beforeAll(async () => {
    const ids = new Set(faults.flatMap((fault) => fault.ids));
    const result = await runOnFaulty(mock.url, together(faults), { grep: [...ids].join("|") });
    all = result.failures;
  });

  test.each(faults)("$name", (fault) => {
    const failures = all.filter(({ ids }) => fault.ids.some((id) => ids.includes(id)));
    for (const id of fault.ids) expect(failures.flatMap(({ ids }) => ids)).toContain(id);

    const shown = failures.filter(({ title }) => title.includes(fault.shownIn));
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set(["broken"]));
    const readable = shown.find(({ message }) => message.startsWith(`expected: ${fault.expected}`));
    const [, found = "", ...transcript] = readable?.message.split("\n") ?? [];
    expect(found).toMatch(/^found: {4}/);
    expect(found).toContain(fault.found);
    expect(transcript).toContainEqual(expect.stringMatching(/^sent: [A-Z]+ \/api\/v1\//));
    expect(transcript).toContainEqual(expect.stringMatching(/^answered: \d{3}$/));
    if (fault.cases !== undefined) expect(failures).toHaveLength(fault.cases);
  });
});
