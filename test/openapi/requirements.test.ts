import { describe, expect, test } from "vitest";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { readChecks } from "../../scripts/trace/checks.ts";
import { requirementProblems } from "../../scripts/trace/problems.ts";

describe("the requirements of the service", () => {
  test("are valid, and each is encoded, checked or excluded with a reason", async () => {
    expect(requirementProblems(await readBundle(), await readChecks())).toEqual([]);
  });

  test("have permanent, consecutive ids", async () => {
    const document = await readBundle();
    const topics = { ...document["x-requirements"], unspecified: document["x-unspecified"] };
    const spans = Object.values(topics).map((rows) => {
      const numbers = rows.map(({ id }) => Number(id.slice(id.lastIndexOf("-") + 1)));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      return `${rows[0]?.id} to ${rows.at(-1)?.id}`;
    });
    expect(spans).toMatchInlineSnapshot(`
      [
        "GEN-1 to GEN-12",
        "AUTH-1 to AUTH-21",
        "SEND-1 to SEND-37",
        "ATT-1 to ATT-13",
        "BATCH-1 to BATCH-14",
        "LOOK-1 to LOOK-23",
        "SCHED-1 to SCHED-21",
        "DELIV-1 to DELIV-7",
        "LIST-1 to LIST-11",
        "CONT-1 to CONT-26",
        "MEMB-1 to MEMB-18",
        "UNSUB-1 to UNSUB-12",
        "IDEM-1 to IDEM-10",
        "SIM-1 to SIM-7",
        "EVENT-1 to EVENT-7",
        "ERR-1 to ERR-16",
        "HEAD-1 to HEAD-10",
        "LIMIT-1 to LIMIT-8",
        "LOG-1 to LOG-5",
        "PAGE-1 to PAGE-5",
        "VER-1 to VER-8",
        "ME-1 to ME-3",
        "OPEN-1 to OPEN-56",
      ]
    `);
  });
});
