import type { Node } from "../../scripts/document/values.ts";
import { readAnswers } from "./facts/answers.ts";
import { expectedAnswers } from "./facts/expected/answers.ts";
import { expectedBodies } from "./facts/expected/bodies.ts";
import { expectedOperations } from "./facts/expected/operations.ts";
import { expectedRequests } from "./facts/expected/requests.ts";
import { expectedTables } from "./facts/expected/tables.ts";
import { expectedValues } from "./facts/expected/values.ts";
import { readOperations } from "./facts/operations.ts";
import { readSchemas } from "./facts/schemas.ts";
import type { Facts } from "./facts/shape.ts";
import { readTables } from "./facts/tables.ts";

/**
 * The facts of the API as a reviewer wrote them down from what the service promises: a second bookkeeping beside
 * the document, so that a changed number or a renamed field is noticed although the document stays sound.
 * Whoever changes the document on purpose changes them too.
 */
const topics: Record<string, { expected: Facts; read: (document: Node) => Facts }> = {
  operation: { expected: expectedOperations, read: readOperations },
  answer: { expected: expectedAnswers, read: readAnswers },
  schema: { expected: { ...expectedValues, ...expectedRequests, ...expectedBodies }, read: readSchemas },
  table: { expected: expectedTables, read: readTables },
};

/** A fact that does not hold: `schema Subject: string <=998 expected, string <=999 found`. */
export const brokenFacts = (document: object): string[] =>
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
