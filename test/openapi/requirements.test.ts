import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { OpenApiDocument, Operation, RequirementRow, UnspecifiedRow } from "../../scripts/document.ts";
import { generatedFolder } from "../../scripts/paths.ts";
import { type Check, readChecks } from "../../scripts/trace/checks.ts";
import { requirementFaults } from "../../scripts/trace/faults.ts";

const bundled = async (): Promise<OpenApiDocument> =>
  JSON.parse(await readFile(`${generatedFolder}/openapi.json`, "utf8"));

const note: RequirementRow = {
  id: "NOTE-1",
  text: "A note has a colour.",
  source: "Notes",
  kind: "shape",
  operations: ["readNote"],
};

const open: UnspecifiedRow = {
  id: "OPEN-1",
  text: "Which colours there are is not said.",
  source: "Notes",
  operations: [],
  absent: ["/components/schemas/Note/enum"],
};

/** A document in which everything is in order, but for what is given. */
function documentWith(
  given: {
    topics?: Record<string, RequirementRow[]>;
    open?: UnspecifiedRow[];
    node?: Record<string, unknown>;
    other?: Record<string, unknown>;
  } = {},
): OpenApiDocument {
  const marks = { "x-encodes": ["NOTE-1"], "x-leaves-open": ["OPEN-1"] };
  const document: Pick<OpenApiDocument, "paths" | "components" | "x-requirements" | "x-unspecified"> = {
    paths: { "/notes": { get: { operationId: "readNote" } as Operation } },
    components: { schemas: { Note: { ...marks, ...given.node }, Other: { ...given.other } } },
    "x-requirements": given.topics ?? { notes: [note] },
    "x-unspecified": given.open ?? [open],
  };
  return document as OpenApiDocument;
}

describe("the requirements of this contract", () => {
  test("are sound, and every one is encoded, checked or excluded with a reason", async () => {
    expect(requirementFaults(await bundled(), await readChecks())).toEqual([]);
  });

  test("keep their ids for good: a number is never given again, and none is missing", async () => {
    const document = await bundled();
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

describe("requirementFaults", () => {
  test("finds nothing wrong with a sound document", () => {
    expect(requirementFaults(documentWith(), [])).toEqual([]);
  });

  test.each<{ fault: string; given: OpenApiDocument; checks?: Check[]; want: string[] }>([
    {
      fault: "an id used twice",
      given: documentWith({ topics: { notes: [note, note] } }),
      want: ["NOTE-1 is the id of more than one row."],
    },
    {
      fault: "an id of another form",
      given: documentWith({
        topics: { notes: [note, { ...note, id: "NOTE-01", excluded: "Shown in no answer." }] },
      }),
      want: ["NOTE-01 is not of the form TOPIC-1."],
    },
    {
      fault: "two prefixes in one topic",
      given: documentWith({
        topics: { notes: [note, { ...note, id: "PAPER-1", excluded: "Shown in no answer." }] },
      }),
      want: ["notes has ids of several prefixes."],
    },
    {
      fault: "one prefix in two topics",
      given: documentWith({
        topics: { notes: [note], other: [{ ...note, id: "NOTE-2", excluded: "Shown in no answer." }] },
      }),
      want: ["Several topics have ids in NOTE."],
    },
    {
      fault: "no text",
      given: documentWith({ topics: { notes: [{ ...note, text: " " }] } }),
      want: ["NOTE-1 has no text that is a sentence."],
    },
    {
      fault: "no source",
      given: documentWith({ topics: { notes: [{ ...note, source: " " }] } }),
      want: ["NOTE-1 does not name the heading it comes from."],
    },
    {
      fault: "an operation that does not exist",
      given: documentWith({ topics: { notes: [{ ...note, operations: ["writeNote"] }] } }),
      want: ["NOTE-1 names writeNote, no operation."],
    },
    {
      fault: "an operation named twice",
      given: documentWith({ topics: { notes: [{ ...note, operations: ["readNote", "readNote"] }] } }),
      want: ["NOTE-1 names the operation readNote more than once."],
    },
    {
      fault: "an unknown kind",
      given: documentWith({ topics: { notes: [{ ...note, kind: "wish" as "shape" }] } }),
      want: ["NOTE-1 is of the unknown kind wish."],
    },
    {
      fault: "a requirement that nothing encodes, checks or excludes",
      given: documentWith({ topics: { notes: [note, { ...note, id: "NOTE-2" }] } }),
      want: ["NOTE-2 is neither encoded, nor checked, nor excluded with a reason."],
    },
    {
      fault: "an exclusion without a reason",
      given: documentWith({ topics: { notes: [{ ...note, excluded: "" }] } }),
      want: ["NOTE-1 is excluded without a reason."],
    },
    {
      fault: "an unobservable requirement that is not excluded",
      given: documentWith({ topics: { notes: [{ ...note, kind: "unobservable" }] } }),
      want: ["NOTE-1 is unobservable but not excluded."],
    },
    {
      fault: "a node that encodes an unknown requirement",
      given: documentWith({ node: { "x-encodes": ["NOTE-1", "NOTE-9"] } }),
      want: ["/components/schemas/Note encodes NOTE-9, which is no requirement."],
    },
    {
      fault: "a node that encodes an open place",
      given: documentWith({ node: { "x-encodes": ["NOTE-1", "OPEN-1"] } }),
      want: ["/components/schemas/Note encodes OPEN-1, which is no requirement."],
    },
    {
      fault: "a node that leaves something unknown open",
      given: documentWith({ node: { "x-leaves-open": ["OPEN-1", "OPEN-9"] } }),
      want: ["/components/schemas/Note leaves OPEN-9 open, which is no open place."],
    },
    {
      fault: "a check that verifies an unknown requirement",
      given: documentWith(),
      checks: [{ ids: ["NOTE-9"], law: "notes are numbered", file: "notes.test.ts" }],
      want: ["A check in notes.test.ts verifies NOTE-9, which is no requirement."],
    },
    {
      fault: "an open place that no node leaves open",
      given: documentWith({ node: { "x-leaves-open": [] } }),
      want: ["OPEN-1 is left open by no node."],
    },
    {
      fault: "a value given to an open place",
      given: documentWith({ node: { enum: ["red"] } }),
      want: ["OPEN-1 is open, but the document has /components/schemas/Note/enum."],
    },
    {
      fault: "a value given to an open place, reached through a reference",
      given: documentWith({ node: { $ref: "#/components/schemas/Other" }, other: { enum: ["red"] } }),
      want: ["OPEN-1 is open, but the document has /components/schemas/Note/enum."],
    },
    {
      fault: "something that is no pointer",
      given: documentWith({ open: [{ ...open, absent: ["components/schemas"] }] }),
      want: ["OPEN-1: components/schemas is no pointer."],
    },
  ])("reports $fault", ({ given, checks = [], want }) => {
    expect(requirementFaults(given, checks)).toEqual(want);
  });

  test("takes a check for enough", () => {
    const given = documentWith({ topics: { notes: [note, { ...note, id: "NOTE-2" }] } });
    const checks = [{ ids: ["NOTE-1", "NOTE-2"], law: "notes are numbered", file: "notes.test.ts" }];
    expect(requirementFaults(given, checks)).toEqual([]);
  });
});
