import { describe, expect, it } from "vitest";
import { differenceText } from "../../../contract/client-suite/engine/compare.ts";
import {
  generatedRequests,
  generatedResponses,
} from "../../../contract/client-suite/support/generated-bodies.ts";
import { operationIds } from "../../../contract/client-suite/support/samples.ts";
import { documentValidators } from "../../../contract/document.ts";
import { operations } from "../../../generated/operations.ts";
import { type ResponseValidator, responses } from "../../../generated/validators/responses.js";

type Json = Record<string, unknown>;

describe.each(operationIds)("the generated values of %s", (operation) => {
  it("are valid", () => {
    const requests = generatedRequests(operation);
    expect(requests.length > 0).toBe(operations[operation].requestBody !== null);
    expect(requests.filter((body) => !documentValidators.accepts(operation, body))).toEqual([]);
    const [validator] = Object.entries(responses[operation]).flatMap(([status, one]) =>
      status.startsWith("2") ? [one as ResponseValidator<((body: unknown) => boolean) | null>] : [],
    );
    const isValid = (body: unknown): boolean => validator?.body?.(body) ?? true;
    expect(generatedResponses(operation).filter((body) => !isValid(body))).toEqual([]);
  });

  it("can be compared", () => {
    for (const body of [...generatedRequests(operation), ...generatedResponses(operation)])
      expect(differenceText(body, JSON.parse(JSON.stringify(body)))).toBeUndefined();
  });
});

it("a generated batch has 100 different messages, with and without optional properties, that no property sorts", () => {
  const [{ emails }] = generatedRequests("sendBatch") as [{ emails: Json[] }];
  expect(new Set(emails.map((one) => JSON.stringify(one))).size).toBe(100);
  expect(emails.filter(({ tags }) => tags === undefined).length).toBeGreaterThan(20);
  for (const name of ["to", "subject", "from"]) {
    const values = emails.map(({ [name]: value }) => JSON.stringify(value) ?? "");
    expect(values.toSorted()).not.toEqual(values);
    expect(values.toSorted().reverse()).not.toEqual(values);
  }
});

it("generated values have each limit, status and kind", () => {
  const sends = JSON.stringify(generatedRequests("sendEmail"));
  const subjects = generatedRequests("sendEmail").map((body) => String((body as Json).subject));
  expect(subjects.filter((text) => [...text].length === 998).length).toBeGreaterThan(2);
  for (const part of ['"__proto__":', '"ORDER":', '"order":', "-00:30", "Ada.LOVELACE@", "ada.lovelace@"])
    expect(sends).toContain(part);
  const messages = generatedResponses("getEmail") as Json[];
  expect(new Set(messages.map(({ status }) => status)).size).toBe(10);
  const contacts = JSON.stringify(generatedResponses("getContact"));
  for (const part of [
    "pending",
    "cleaned",
    "complained",
    "0044-05-31",
    "1969-12-31",
    "9007199254740991",
    "1e+21",
  ])
    expect(contacts).toContain(part);
});
