import { expect, test } from "vitest";
import type { LoggedRequest } from "../../../../sandbox/domain/records.ts";
import { keptFor } from "../../../../sandbox/domain/retention.ts";
import { RequestLog } from "../../../../sandbox/store/memory/request-log.ts";
import { noon } from "../records.ts";

const request = (number: number, changes: Partial<LoggedRequest> = {}): LoggedRequest => ({
  requestId: `req_${number}`,
  accountId: "acc_one",
  method: "POST",
  path: "/api/v1/emails",
  status: 422,
  errorType: "invalid_request",
  fields: ["to"],
  at: noon + number,
  ...changes,
});

function logOf(requests: readonly LoggedRequest[], bound = { number: 10_000, bytes: 2 ** 26 }): RequestLog {
  const log = new RequestLog(bound);
  for (const each of requests) log.add(each);
  return log;
}

const numbers = (length: number): number[] => Array.from({ length }, (_, number) => number);
const idsOf = (log: RequestLog): string[] =>
  log
    .list({ accountId: "acc_one", limit: 1_000 } as Parameters<RequestLog["list"]>[0])
    .map(({ requestId }) => requestId);

test("the newest requests stay even if the bound is less than one group", () => {
  const log = logOf(
    numbers(64).map((number) => request(number)),
    { number: 1, bytes: 1 },
  );
  expect(idsOf(log)).toEqual(numbers(32).map((number) => `req_${63 - number}`));
});

test("many fields make a group smaller", () => {
  const fields = numbers(500).map((number) => `attachments[${number}].content`);
  const log = logOf(
    [0, 1, 2].map((number) => request(number, { fields })),
    { number: 1, bytes: 1 },
  );
  expect(idsOf(log)).toEqual(["req_2"]);
});

test("what is forgotten leaves the others in their order, also if times are not", () => {
  const times = numbers(100).map((number) => (number % 40 === 39 ? noon - 1 : noon));
  const log = logOf(times.map((at, number) => request(number, { at })));
  log.forget(noon - 1 + keptFor.requests);
  expect(idsOf(log)).toEqual(
    numbers(100)
      .reverse()
      .filter((number) => number % 40 !== 39)
      .map((number) => `req_${number}`),
  );
  log.forget(noon + keptFor.requests);
  expect(idsOf(log)).toEqual([]);
});
