import type { Node } from "../../scripts/document/values.ts";
import { emails } from "./facts/expected/emails.ts";
import { newsletter } from "./facts/expected/newsletter.ts";
import { expectedRequests } from "./facts/expected/requests.ts";
import { shared } from "./facts/expected/shared.ts";
import { expectedTables } from "./facts/expected/tables.ts";
import { expectedValues } from "./facts/expected/values.ts";
import { readOperations } from "./facts/operations.ts";
import { readResponses } from "./facts/responses.ts";
import { readSchemas } from "./facts/schemas.ts";
import type { AreaFacts, Facts } from "./facts/shape.ts";
import { readTables } from "./facts/tables.ts";

const ofAllAreas = (topic: keyof AreaFacts): Facts => ({
  ...emails[topic],
  ...newsletter[topic],
  ...shared[topic],
});

/**
 * The expected contents of the document, written down a second time from the service description: they reveal a changed
 * number or a renamed property in a document that is still valid. An intended change is made in both places.
 */
const topics: Record<string, { expected: Facts; read: (document: Node) => Facts }> = {
  operation: { expected: ofAllAreas("operations"), read: readOperations },
  response: { expected: ofAllAreas("responses"), read: readResponses },
  schema: {
    expected: { ...expectedValues, ...expectedRequests, ...ofAllAreas("bodies") },
    read: readSchemas,
  },
  table: { expected: expectedTables, read: readTables },
};

/** The differences from the expected contents, such as `schema Subject: string <=998 expected, string <=999 found`. */
export const unexpectedFacts = (document: object): string[] =>
  Object.entries(topics).flatMap(([topic, { expected, read }]) =>
    differences(topic, expected, read({ ...document })),
  );

function differences(topic: string, expected: Facts, found: Facts): string[] {
  return union(expected, found).flatMap((owner) =>
    union(expected[owner] ?? {}, found[owner] ?? {}).flatMap((name) => {
      const [wanted, there] = [expected[owner]?.[name], found[owner]?.[name]];
      const place = [topic, owner, name].filter((part) => part !== "").join(" ");
      return wanted === there
        ? []
        : [`${place}: ${wanted ?? "nothing"} expected, ${there ?? "nothing"} found`];
    }),
  );
}

const union = (one: object, other: object): string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
];
