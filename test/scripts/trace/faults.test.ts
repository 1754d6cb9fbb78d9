import { describe, expect, test } from "vitest";
import type { OpenApiDocument, RequirementRow, UnspecifiedRow } from "../../../scripts/document/types.ts";
import { requirementFaults } from "../../../scripts/trace/faults.ts";

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
};

/** A document in which everything is in order, but for what is given. */
function documentWith(
  given: { topics?: Record<string, RequirementRow[]>; node?: Record<string, unknown> } = {},
): OpenApiDocument {
  const marks = { "x-encodes": ["NOTE-1"], "x-leaves-unspecified": ["OPEN-1"] };
  const document: Pick<OpenApiDocument, "components" | "x-requirements" | "x-unspecified"> = {
    components: { schemas: { Note: { ...marks, ...given.node } } },
    "x-requirements": given.topics ?? { notes: [note] },
    "x-unspecified": [open],
  };
  return document as OpenApiDocument;
}

describe("requirementFaults", () => {
  test("finds nothing wrong with a sound document", () => {
    expect(requirementFaults(documentWith(), [])).toEqual([]);
  });

  test.each<{ fault: string; given: OpenApiDocument; want: string[] }>([
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
      fault: "an open place that no node leaves open",
      given: documentWith({ node: { "x-leaves-unspecified": [] } }),
      want: ["OPEN-1 is left open by no node."],
    },
  ])("reports $fault", ({ given, want }) => {
    expect(requirementFaults(given, [])).toEqual(want);
  });

  test("takes a check for enough", () => {
    const given = documentWith({ topics: { notes: [note, { ...note, id: "NOTE-2" }] } });
    const checks = [{ ids: ["NOTE-1", "NOTE-2"], law: "notes are numbered", file: "notes.test.ts" }];
    expect(requirementFaults(given, checks)).toEqual([]);
  });
});
