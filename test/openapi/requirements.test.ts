import { describe, expect, test } from "vitest";
import { frozenRelease, frozenVersions } from "../../scripts/diff/inputs.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { tracedChecks } from "../../scripts/trace/checks.ts";
import {
  requirementProblems,
  traceTable,
  unspecifiedTable,
  verificationProblems,
} from "../../scripts/trace/trace.ts";

describe("the requirements of the service", () => {
  test("are valid, and each is either checked or excluded with a reason", async () => {
    const document = await readBundle();
    const checks = await tracedChecks(document);
    expect(requirementProblems(document)).toEqual([]);
    expect(verificationProblems(traceTable(document, checks))).toEqual([]);
  });

  test("are encoded at their places", async () => {
    const rows = traceTable(await readBundle(), []);
    const places = Object.keys(encodedPlaces).map((name) => [
      name,
      rows.find(({ id }) => id === name)?.encodedAt,
    ]);
    expect(Object.fromEntries(places)).toEqual(encodedPlaces);
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

/** Where the document must encode requirements that several places could. */
const encodedPlaces: Record<string, string[]> = {
  "GEN-9": ["/components/parameters/ContactEmail"],
  "GEN-13": ["/components/parameters/ContactEmail"],
  "AUTH-18": ["/tags/0"],
  "AUTH-19": ["/tags/0"],
  "AUTH-20": ["/tags/1"],
  "AUTH-21": ["/tags/1"],
  "SCHED-2": [
    "/components/schemas/SendTime",
    "/components/responses/RescheduleInvalid",
    "/components/responses/SendInvalid",
    "/x-limits/scheduleAhead",
  ],
  "EVENT-5": ["/info"],
  "EVENT-7": ["/info"],
  "LOG-2": ["/info"],
  "LOG-4": ["/info"],
  "LOG-5": ["/info"],
};

/** Where the document must name unspecified items that several places could. */
const unspecifiedPlaces: Record<string, string[]> = {
  "OPEN-31": ["/components/headers/OptionalRetryAfter", "/x-errors/429.send_rejected"],
  "OPEN-42": [
    "/components/securitySchemes/bearerAuth",
    "/components/schemas/ExtraHeaderName",
    "/x-simulator",
  ],
  "OPEN-57": ["/components/responses/BatchInvalid", "/x-errors/422.send_rejected"],
  "OPEN-60": ["/components/schemas/UnsubscribeRequest"],
  "OPEN-62": ["/tags/0"],
  "OPEN-70": ["/paths/~1api~1v1~1me/get/responses/200"],
  "OPEN-71": ["/paths/~1api~1v1~1emails~1batch/post", "/x-errors/413.send_rejected"],
};

test("what is unspecified is named at its places", async () => {
  const document = await readBundle();
  const rows = unspecifiedTable(document);
  const named = (pointer: string): string =>
    pointer.replace(/(?<=^\/x-errors\/)\d+$/, (index) => document["x-errors"][Number(index)]?.id ?? index);
  const places = Object.keys(unspecifiedPlaces).map((name) => [
    name,
    rows.find(({ id }) => id === name)?.unspecifiedAt.map(named),
  ]);
  expect(Object.fromEntries(places)).toEqual(unspecifiedPlaces);
});

/** The ids of each topic, and of what is unspecified. */
const idsByTopic = (document: OpenApiDocument): string[][] =>
  Object.values({ ...document["x-requirements"], unspecified: document["x-unspecified"] }).map((rows) =>
    rows.map(({ id }) => id),
  );
