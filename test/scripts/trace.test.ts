import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import type { RequirementRow, UnspecifiedRow } from "../../generated/schema-types.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { markedAt } from "../../scripts/document/requirements.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { tracedChecks } from "../../scripts/trace/checks.ts";
import {
  requirementProblems,
  runTrace,
  summarize,
  traceTable,
  traceText,
  unspecifiedTable,
  verificationProblems,
} from "../../scripts/trace/trace.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const row = { source: "Notes", kind: "shape", operations: [] };

const document = {
  paths: { "/notes/{id}": { get: { operationId: "readNote", "x-encodes": ["NOTE-1"] } } },
  components: {
    schemas: { Note: { "x-encodes": ["NOTE-1", "NOTE-2"], "x-leaves-unspecified": ["OPEN-1"] } },
  },
  "x-requirements": {
    notes: [
      { ...row, id: "NOTE-1", text: "A note has a colour." },
      { ...row, id: "NOTE-2", text: "A note is either long | or short, whatever its colour may be." },
    ],
    paper: [{ ...row, id: "PAPER-1", text: "Paper is white.", excluded: "No response shows the paper." }],
    ink: [{ ...row, id: "INK-1", text: "Ink is blue." }],
  },
  "x-unspecified": [{ ...row, id: "OPEN-1", text: "The colours are unspecified." }],
} as unknown as OpenApiDocument;

const checks = [
  { ids: ["NOTE-2", "NOTE-1"], title: "a note that is neither is rejected", file: "notes.test.ts" },
];
const rows = traceTable(document, checks);
const open = unspecifiedTable(document);

describe("traceTable", () => {
  test("lists the nodes that encode and the checks that verify each requirement", () => {
    const verified = [{ title: "a note that is neither is rejected", file: "notes.test.ts" }];
    const place = "/components/schemas/Note";
    expect(
      rows.map(({ id, topic, encodedAt, checks, excluded }) => [id, topic, encodedAt, checks, excluded]),
    ).toEqual([
      ["NOTE-1", "notes", ["/paths/~1notes~1{id}/get", place], verified, null],
      ["NOTE-2", "notes", [place], verified, null],
      ["PAPER-1", "paper", [], [], "No response shows the paper."],
      ["INK-1", "ink", [], [], null],
    ]);
  });

  test("is counted by encoded, checked, excluded and neither", () => {
    expect(summarize(rows)).toEqual({ requirements: 4, encoded: 2, checked: 2, excluded: 1, neither: 1 });
  });

  const suite = "contract/client-suite/checks/";
  const noCheck =
    "INK-1 has no check: add one in contract/checks/, or `excluded` with the reason to its row.";
  test.each([
    ["no check, and no reason", "INK-1", "contract/checks/sequences.ts", [noCheck]],
    ["a check of clients for the service", "INK-1", `${suite}ink.ts`, [noCheck]],
    ["a check", "INK-1", "contract/checks/ink.ts", []],
    [
      "a check and a reason",
      "PAPER-1",
      "contract/checks/paper.ts",
      ["PAPER-1 is checked: remove `excluded` from its row.", noCheck],
    ],
    [
      "a check of servers for clients",
      "PAINT-1",
      "contract/checks/paint.ts",
      [noCheck, noCheck.replace("INK", "PAINT").replace("contract/checks/", suite)],
    ],
  ])("has no requirement with %s", (_, id, file, problems) => {
    const paint = { ...row, id: "PAINT-1", text: "A painter opens the paint.", kind: "client" };
    const topics = { ...document["x-requirements"], ...(id === "PAINT-1" && { paint: [paint] }) };
    const own = { ...document, "x-requirements": topics } as OpenApiDocument;
    const table = traceTable(own, [...checks, { ids: [id], title: "one more", file }]);
    expect(verificationProblems(table)).toEqual(problems);
  });
});

test("unspecifiedTable lists the nodes that name each unspecified item", () => {
  expect(open.map(({ id, unspecifiedAt }) => [id, unspecifiedAt])).toEqual([
    ["OPEN-1", ["/components/schemas/Note"]],
  ]);
});

test("tracedChecks knows the file of each check, and the requirements that sequences verify", async () => {
  const all = await tracedChecks(await readBundle());
  const filesOf = (id: string): string[] => [
    ...new Set(all.filter(({ ids }) => ids.includes(id)).map(({ file }) => file)),
  ];
  expect(filesOf("HEAD-8")).toEqual(["contract/checks/general.ts", "contract/response-checks/headers.ts"]);
  expect(filesOf("SEND-9")).toContain("contract/case-requirements/requirements.ts");
  expect(filesOf("SEND-9")).toContain("contract/checks/sequences.ts");
  expect(filesOf("GEN-9")).toContain("contract/client-suite/engine/request-checks.ts");
});

test("markedAt lists the nodes that name an id, in document order", () => {
  const given = {
    b: [{ marks: ["X-1"] }, { marks: ["X-2", "X-1"] }],
    "a/c": { marks: ["X-1"] },
    marks: "X-1",
  };
  expect([...markedAt(given, "marks")]).toEqual([
    ["X-1", ["/b/0", "/b/1", "/a~1c"]],
    ["X-2", ["/b/1"]],
  ]);
});

describe("a trace", () => {
  test("is printed within 80 columns", () => {
    const text = stripVTControlCharacters(traceText(rows, open));
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text).toMatchInlineSnapshot(`
      "Id       Requirement                       Encoded at                 Checks
      NOTE-1   A note has a colour.              /paths//notes/{id}/get +1  1
      NOTE-2   A note is either long | or short… schemas/Note               1
      PAPER-1  Paper is white.                   -                          excluded
      INK-1    Ink is blue.                      -                          -
      OPEN-1   The colours are unspecified.      schemas/Note               unspec.

      4 requirements: 2 encoded, 2 checked, 1 excluded, 1 neither.
      1 unspecified item, 1 of them named in the document.
      "
    `);
  });
});

describe("runTrace", () => {
  let folder: string;
  const printed: string[] = [];
  const print = (text: string): number => printed.push(text);
  beforeEach(async () => {
    printed.length = 0;
    folder = temporaryFolder();
    await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  });

  test("prints the trace of the bundle in a folder, and fails on an uncovered requirement", async () => {
    expect(await runTrace([], { folder, print })).toBe(1);
    expect(printed.join("")).toContain("3 neither");
    expect(printed.join("")).toContain(
      "\nINK-1 has no check: add one in contract/checks/, or `excluded` with the reason to its row.\n",
    );
  });

  test("lists single requirements with their places and checks", async () => {
    await runTrace(["NOTE-1"], { folder, print });
    expect(printed[0]).toMatch(/^NOTE-1 A note has a colour\.\n- encoded at \/paths\/~1notes~1\{id\}\/get\n/);
    expect(printed[0]).not.toContain("NOTE-2");
    await expect(runTrace(["NOTE-9"], { folder })).rejects.toThrow("there is no requirement NOTE-9");
  });

  test("says what to run if there is no bundle", async () => {
    await rm(join(folder, "openapi.json"));
    await expect(runTrace([], { folder })).rejects.toMatchObject({
      message: expect.stringContaining("openapi.json cannot be read"),
      hint: "Run `npm run generate` first.",
      exitCode: 2,
    });
  });
});

const note: RequirementRow = {
  id: "NOTE-1",
  text: "A note has a colour.",
  source: "Notes",
  kind: "shape",
  operations: ["readNote"],
};

const unspecified: UnspecifiedRow = {
  id: "OPEN-1",
  text: "The colours are unspecified.",
  source: "Notes",
  operations: [],
};

interface Given {
  topics?: Record<string, RequirementRow[]>;
  node?: Record<string, unknown>;
}

/** A valid document with these parts. */
function documentWith(given: Given = {}): OpenApiDocument {
  const topics = given.topics ?? { notes: [note] };
  const encoded = Object.values(topics).flatMap((rows) => rows.map(({ id }) => id));
  const marks = { "x-encodes": encoded, "x-leaves-unspecified": ["OPEN-1"] };
  const document: Pick<OpenApiDocument, "components" | "x-requirements" | "x-unspecified"> = {
    components: { schemas: { Note: { ...marks, ...given.node } } },
    "x-requirements": topics,
    "x-unspecified": [unspecified],
  };
  return document as OpenApiDocument;
}

describe("requirementProblems", () => {
  test("finds no problem in a valid document", () => {
    expect(requirementProblems(documentWith())).toEqual([]);
  });

  test.each<[problem: string, given: Given, want: string]>([
    [
      "a requirement that no node encodes",
      { node: { "x-encodes": [] } },
      "NOTE-1 is not encoded: say it at a node, and add x-encodes with its id there.",
    ],
    [
      "two prefixes in one topic",
      {
        topics: { notes: [note, { ...note, id: "PAPER-1", excluded: "Shown in no response." }] },
      },
      "notes has ids of several prefixes.",
    ],
    [
      "one prefix in two topics",
      {
        topics: { notes: [note], other: [{ ...note, id: "NOTE-2", excluded: "Shown in no response." }] },
      },
      "Several topics have ids in NOTE.",
    ],
    [
      "an unspecified item that no node names",
      { node: { "x-leaves-unspecified": [] } },
      "OPEN-1 is unspecified, and no x-leaves-unspecified names it.",
    ],
  ])("reports %s", (_problem, given, want) => {
    expect(requirementProblems(documentWith(given))).toEqual([want]);
  });
});
