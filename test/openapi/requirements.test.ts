import { describe, expect, test } from "vitest";
import { frozenRelease, frozenVersions } from "../../scripts/diff/releases.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { readChecks } from "../../scripts/trace/checks.ts";
import { requirementProblems } from "../../scripts/trace/problems.ts";
import { responseChecks } from "../../scripts/trace/responses.ts";
import { traceTable, verificationProblems } from "../../scripts/trace/table.ts";

describe("the requirements of the service", () => {
  test("are valid, and each is either checked or excluded with a reason", async () => {
    const document = await readBundle();
    const checks = [...(await readChecks()), ...responseChecks(document)];
    expect(requirementProblems(document)).toEqual([]);
    expect(verificationProblems(traceTable(document, checks))).toEqual([]);
  });

  test("have consecutive ids", async () => {
    for (const ids of idsByTopic(await readBundle()))
      expect(ids).toEqual(ids.map((id, index) => `${id.slice(0, id.lastIndexOf("-"))}-${index + 1}`));
  });

  test("have permanent ids: those of every release are still there", async () => {
    const ids = idsByTopic(await readBundle()).flat();
    for (const version of await frozenVersions()) {
      const released = idsByTopic((await frozenRelease(version)) as unknown as OpenApiDocument).flat();
      expect(released.length).toBeGreaterThan(300);
      expect(ids, version).toEqual(expect.arrayContaining(released));
    }
  });
});

/** The ids of each topic, and of what is unspecified. */
const idsByTopic = (document: OpenApiDocument): string[][] =>
  Object.values({ ...document["x-requirements"], unspecified: document["x-unspecified"] }).map((rows) =>
    rows.map(({ id }) => id),
  );
