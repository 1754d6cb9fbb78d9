import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { measure, type Share } from "../../scripts/score/metrics.ts";
import { gapsIn, requiredMetrics, runScore } from "../../scripts/score/score.ts";
import { labels, percent } from "../../scripts/score/table.ts";
import { sampleFolder } from "./copies.ts";

const response = (more: object = {}): object => ({ description: "d", ...more });
const json = (media: object): object => ({ content: { "application/json": media } });

/** Two operations: one with everything, one with nothing. */
const document = {
  openapi: "3.1.1",
  info: { title: "t", version: "1" },
  security: [{ key: [] }],
  paths: {
    "/full/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      post: {
        summary: "s",
        description: "d",
        operationId: "full",
        tags: ["a"],
        security: [{ key: ["write"] }],
        requestBody: json({
          schema: { $ref: "#/components/schemas/Order" },
          examples: { one: { value: {} } },
        }),
        responses: {
          "200": response({
            ...json({ schema: { $ref: "#/components/schemas/Order" } }),
            headers: { "X-Id": { schema: { type: "string" } } },
            links: { self: {}, next: {} },
          }),
          "204": response(),
          "401": { $ref: "#/components/responses/Problem" },
          "429": { $ref: "#/components/responses/Problem" },
          "503": { $ref: "#/components/responses/Problem" },
        },
      },
    },
    "/bare": {
      get: {
        summary: " ",
        requestBody: json({ schema: { type: "string" } }),
        responses: { "200": response(json({})) },
      },
    },
  },
  components: {
    parameters: { Id: { name: "id", in: "path", schema: { type: "string", maxLength: 9 } } },
    responses: { Problem: response(json({ schema: { type: "object" }, example: {} })) },
    schemas: {
      Order: {
        type: "object",
        examples: [{}],
        properties: {
          note: { type: ["string", "null"], description: "d", maxLength: 3 },
          name: { $ref: "#/components/schemas/Name" },
          lines: {
            type: "array",
            items: { type: "array", maxItems: 2, items: { $ref: "#/components/schemas/Order" } },
          },
        },
        not: { properties: { ghost: { type: "string" } } },
      },
      Name: { type: "string", description: "d" },
      Unused: { type: "array", items: { type: "string", enum: ["a"] }, maxItems: 1 },
    },
  },
};

const score = measure(document);
const shares = (metric: keyof typeof score): [number, number] => {
  const { part, whole } = score[metric] as Share;
  return [part, whole];
};

describe("a document with known shares", () => {
  const known: [Parameters<typeof shares>[0], [number, number]][] = [
    ["summary", [1, 2]],
    ["description", [1, 2]],
    ["operationId", [1, 2]],
    ["tag", [1, 2]],
    ["requestExample", [1, 2]],
    ["responseExample", [1, 2]],
    ["clientErrorSchema", [1, 2]],
    ["status401", [1, 2]],
    ["status429", [1, 2]],
    ["status5xx", [1, 2]],
    ["responseHeaders", [1, 2]],
    ["ability", [1, 2]],
    // note, and name through its reference; lines has none.
    ["describedProperties", [2, 3]],
    // Bounded: the path parameter, note, the item of Unused. Not: Name, the header, the bare body.
    ["boundedStrings", [3, 6]],
    // Bounded: the path parameter, note. Not: Name, the bare body.
    ["boundedRequestStrings", [2, 4]],
    ["boundedArrays", [2, 3]],
    ["boundedRequestArrays", [1, 2]],
  ];
  test.for(known)("%s is %j", ([metric, expected]) => {
    expect(shares(metric)).toEqual(expected);
  });

  test("operations and links are counted", () => {
    expect(score.operations).toBe(2);
    expect(score.links).toBe(2);
  });

  test("missing parts are named by their places", () => {
    expect((score.boundedRequestStrings as Share).missing.sort()).toEqual([
      "/components/schemas/Name",
      "/paths/~1bare/get/requestBody/content/application~1json/schema",
    ]);
    expect((score.tag as Share).missing).toEqual(["GET /bare"]);
  });

  test("every required metric below 100 is a gap", () => {
    expect(gapsIn(score)).toHaveLength(requiredMetrics.length);
    expect(gapsIn(score)[0]).toBe("summary (1 of 2): GET /bare");
    expect(gapsIn(score).slice(-2)).toEqual([
      expect.stringMatching(/^request strings \(2 of 4\): /),
      expect.stringMatching(/^request arrays \(1 of 2\): /),
    ]);
  });
});

test("labels are unique and fit their column", () => {
  expect(new Set(Object.values(labels)).size).toBe(Object.keys(labels).length);
  expect(Math.max(...Object.values(labels).map((label) => label.length))).toBeLessThanOrEqual(17);
});

test("a name with a slash or a tilde is found", () => {
  const properties = { "a/b~c": { $ref: "#/components/schemas/d~1e~0f" } };
  const schemas = { "d/e~f": { type: "string", description: "d" }, Owner: { type: "object", properties } };
  expect(measure({ paths: {}, components: { schemas } }).describedProperties).toMatchObject({
    part: 1,
    whole: 1,
  });
});

test("a share just below the whole is not 100", () => {
  expect(percent({ part: 1999, whole: 2000, missing: [] })).toBe(99.9);
  expect(percent({ part: 7, whole: 7, missing: [] })).toBe(100);
  expect(percent({ part: 0, whole: 0, missing: [] })).toBeUndefined();
});

test("an invalid document is measured", () => {
  const odd = measure({
    openapi: "3.0.0",
    paths: { "/a": { get: { responses: [], parameters: {} } }, "/b": null },
  });
  expect(odd.operations).toBe(1);
});

describe("the command", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "email-api-score-"));
    await writeFile(join(folder, "shop.json"), JSON.stringify(document));
    await writeFile(join(folder, "shop.yaml"), stringify(document));
    await writeFile(join(folder, "broken.yaml"), "a: [");
    await writeFile(join(folder, "other.json"), "{}");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** What the command prints, without colours, and its exit code. */
  async function printed(files: string[]): Promise<{ status: number; text: string }> {
    const parts: string[] = [];
    const status = await runScore(files, (text) => parts.push(text));
    return {
      status,
      text: parts.join("\n").replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g"), ""),
    };
  }

  test("this contract meets every required metric, beside its peers, in 80 columns", async () => {
    const { status, text } = await printed([]);
    expect(text).toMatch(/here\s+Resend/);
    expect(text).not.toContain("Below 100");
    expect(status).toBe(0);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("files are measured in JSON and YAML alike, without required metrics", async () => {
    const { status, text } = await printed([join(folder, "shop.json"), join(folder, "shop.yaml")]);
    expect(status).toBe(0);
    expect(text).toMatch(/described props\s+66\.6\s+66\.6/);
  });

  const rejected: [string, string][] = [
    ["missing.yaml", "there is no such file"],
    ["broken.yaml", "broken.yaml is invalid: "],
    ["other.json", "is not an OpenAPI 3 document"],
  ];
  test.for(rejected)("%s: %s", async ([file, message]) => {
    await expect(printed([join(folder, file)])).rejects.toThrow(message);
  });

  test("a document in several files is rejected", async () => {
    await expect(printed([join(sampleFolder, "openapi.yaml")])).rejects.toThrow("refers to another file");
  });
});
