import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { byPlace, type Finding, findingsText } from "../../scripts/lint/finding.ts";
import { lint } from "../../scripts/lint/lint.ts";
import { type Copy, onCopy } from "./copies.ts";

/** The findings in a changed copy of a document, with file names relative to the copy. */
const lintCopy = (
  of: "sample" | "document",
  breaking: (copy: Copy) => Promise<unknown>,
): Promise<Finding[]> =>
  onCopy(of, async (copy) => {
    await breaking(copy);
    const found = await lint(copy.source);
    return found.map((finding) => ({ ...finding, file: finding.file.replace(`${copy.folder}/`, "") }));
  });

test("the order of findings does not depend on the locale", () => {
  const finding = (file: string, line: number, rule: string): Finding => ({
    tool: "spectral",
    rule,
    severity: "error",
    message: "m",
    file,
    line,
    column: 1,
    pointer: "/",
  });
  const inOrder = [
    finding("B.yaml", 2, "r"),
    finding("a.yaml", 2, "Z"),
    finding("a.yaml", 2, "a"),
    finding("a.yaml", 10, "a"),
    finding("ä.yaml", 1, "a"),
  ];
  expect(inOrder.toReversed().sort(byPlace)).toEqual(inOrder);
});

const places = (findings: Finding[]): string[] =>
  findings.map(
    ({ tool, file, line, column, severity, rule }) => `${tool} ${file}:${line}:${column} ${severity} ${rule}`,
  );

describe("the lint of a document with three problems", () => {
  let findings: Finding[];
  beforeAll(async () => {
    findings = await lintCopy("document", async ({ replace }) => {
      await replace("paths/me.yaml", "  summary: Get the current API key\n", "");
      await replace("headers/ServiceRequestId.yaml", "required: true", "required: false");
      await replace("examples/SendReceipt.yaml", "to: [ada@readers.example]", "to: [ada@mailbox.berlin]");
    });
  });

  test("finds them with both tools, in the order of the sources", () => {
    const inMe = places(findings).filter((place) => place.includes("paths/me.yaml"));
    expect(inMe).toEqual([
      "spectral paths/me.yaml:1:1 error operation-complete",
      "redocly paths/me.yaml:1:1 error operation-summary",
    ]);
    expect(places(findings)).toContain(
      "spectral headers/ServiceRequestId.yaml:1:1 error request-id-on-every-response",
    );
    expect(findings.map(({ file }) => file)).toEqual(findings.map(({ file }) => file).toSorted());
  });

  test("gives the line of a value behind two references", () => {
    expect(findings.filter(({ file }) => file === "examples/SendReceipt.yaml")).toEqual([
      {
        tool: "spectral",
        rule: "examples-on-reserved-domains",
        severity: "error",
        message:
          "Use a reserved name such as example.com, or 192.0.2.1, instead of mailbox.berlin (RFC 2606, RFC 5737).",
        file: "examples/SendReceipt.yaml",
        line: 4,
        column: 8,
        pointer: "/components/examples/SendReceipt/value/to/0",
      },
    ]);
  });
});

test("a document that cannot be bundled ends the lint with one error", async () => {
  await expect(lintCopy("sample", ({ remove }) => remove("errors.yaml"))).rejects.toThrow(
    /openapi\.yaml:\d+:\d+: cannot resolve "errors\.yaml"/,
  );
});

test("findings are printed within 80 columns, what to do below the position", () => {
  const finding: Finding = {
    tool: "spectral",
    rule: "request-id-on-every-response",
    severity: "error",
    message:
      "Set required: true on the header X-Service-Request-Id of the 200 response of getThing: every response has it.",
    file: "openapi/paths/things.yaml",
    line: 12,
    column: 5,
    pointer: "/paths",
  };
  const text = stripVTControlCharacters(findingsText([finding, { ...finding, severity: "warn", line: 13 }]));
  expect(text).toBe(
    [
      "openapi/paths/things.yaml:12:5  error  request-id-on-every-response",
      "  Set required: true on the header X-Service-Request-Id of the 200 response of",
      "  getThing: every response has it.",
      "",
      "openapi/paths/things.yaml:13:5  warn  request-id-on-every-response",
      "  Set required: true on the header X-Service-Request-Id of the 200 response of",
      "  getThing: every response has it.",
      "",
      "2 problems found: 1 error, 1 warning.",
    ].join("\n"),
  );
  expect(findingsText([])).toBe("No problems found.");
});
