import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Mock } from "../../../scripts/mock/prism.ts";
import { startMock } from "../../../scripts/mock.ts";
import { answerFaults, requestFaults } from "./faults.ts";
import { runOnFaulty } from "./run.ts";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

/** A pattern that matches any of the ids, and no longer one that begins with it. */
const anyOf = (ids: string[]): string => `\\b(${ids.join("|")})\\b`;

describe("a server that breaks one promise is found out:", () => {
  test.each([...answerFaults, ...requestFaults])("$name", async (fault) => {
    const { failures } = await runOnFaulty(mock.url, fault, { grep: anyOf(fault.ids) });
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
