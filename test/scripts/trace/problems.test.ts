import { describe, expect, test } from "vitest";
import type { OpenApiDocument, RequirementRow, UnspecifiedRow } from "../../../scripts/document/types.ts";
import { requirementProblems } from "../../../scripts/trace/problems.ts";

const note: RequirementRow = {
  id: "NOTE-1",
  text: "A note has a colour.",
  source: "Notes",
  kind: "shape",
  operations: ["readNote"],
};

const open: UnspecifiedRow = {
  id: "OPEN-1",
  text: "The colours are unspecified.",
  source: "Notes",
  operations: [],
};

/** A valid document with these parts. */
function documentWith(
  given: { topics?: Record<string, RequirementRow[]>; node?: Record<string, unknown> } = {},
): OpenApiDocument {
  const topics = given.topics ?? { notes: [note] };
  const encoded = Object.values(topics).flatMap((rows) => rows.map(({ id }) => id));
  const marks = { "x-encodes": encoded, "x-leaves-unspecified": ["OPEN-1"] };
  const document: Pick<OpenApiDocument, "components" | "x-requirements" | "x-unspecified"> = {
    components: { schemas: { Note: { ...marks, ...given.node } } },
    "x-requirements": topics,
    "x-unspecified": [open],
  };
  return document as OpenApiDocument;
}

describe("requirementProblems", () => {
  test("finds no problem in a valid document", () => {
    expect(requirementProblems(documentWith())).toEqual([]);
  });

  test.each<{ problem: string; given: OpenApiDocument; want: string[] }>([
    {
      problem: "an id used twice",
      given: documentWith({ topics: { notes: [note, note] } }),
      want: ["NOTE-1 is the id of more than one row."],
    },
    {
      problem: "a requirement that no node encodes",
      given: documentWith({ node: { "x-encodes": [] } }),
      want: ["NOTE-1 is not encoded: say it at a node, and add x-encodes with its id there."],
    },
    {
      problem: "an id of another form",
      given: documentWith({
        topics: { notes: [note, { ...note, id: "NOTE-01", excluded: "Shown in no response." }] },
      }),
      want: ["NOTE-01 is not of the form TOPIC-1."],
    },
    {
      problem: "two prefixes in one topic",
      given: documentWith({
        topics: { notes: [note, { ...note, id: "PAPER-1", excluded: "Shown in no response." }] },
      }),
      want: ["notes has ids of several prefixes."],
    },
    {
      problem: "one prefix in two topics",
      given: documentWith({
        topics: { notes: [note], other: [{ ...note, id: "NOTE-2", excluded: "Shown in no response." }] },
      }),
      want: ["Several topics have ids in NOTE."],
    },
    {
      problem: "no text",
      given: documentWith({ topics: { notes: [{ ...note, text: " " }] } }),
      want: ["NOTE-1 needs a text that ends with a full stop."],
    },
    {
      problem: "no source",
      given: documentWith({ topics: { notes: [{ ...note, source: " " }] } }),
      want: ["NOTE-1 needs a source: the heading of the service description."],
    },
    {
      problem: "an unknown kind",
      given: documentWith({ topics: { notes: [{ ...note, kind: "wish" as "shape" }] } }),
      want: ["NOTE-1 has the unknown kind wish."],
    },
    {
      problem: "an exclusion without a reason",
      given: documentWith({ topics: { notes: [{ ...note, excluded: "" }] } }),
      want: ["NOTE-1 is excluded without a reason."],
    },
    {
      problem: "an unobservable requirement that is not excluded",
      given: documentWith({ topics: { notes: [{ ...note, kind: "unobservable" }] } }),
      want: ["NOTE-1 is unobservable but not excluded."],
    },
    {
      problem: "an unspecified item that no node names",
      given: documentWith({ node: { "x-leaves-unspecified": [] } }),
      want: ["OPEN-1 is unspecified, and no x-leaves-unspecified names it."],
    },
  ])("reports $problem", ({ given, want }) => {
    expect(requirementProblems(given)).toEqual(want);
  });
});
