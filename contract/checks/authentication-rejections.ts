import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { RawRequest } from "../exchange.ts";
import { assertError } from "../support/assertions.ts";
import { attempts, type ChangingOperation } from "../support/rejected-requests.ts";

type Key = Exclude<RawRequest["key"], undefined>;

/** One case per operation whose effect can be observed. */
export const casePerChange = (key: Key, status: number, type: string): TestCase[] =>
  (Object.keys(attempts) as ChangingOperation[]).map((operation) =>
    testCase(operation, { operation, core: false, needs: attempts[operation].needs }, (tester) =>
      attempts[operation].attempt(tester, [(valid) => ({ ...valid, key })], (exchange) =>
        // A list of another account is rejected for its id.
        assertError(exchange, status, type, ...(status === 404 ? ["list_id"] : [])),
      ),
    ),
  );

/** Requests rejected because of their key have no effect. */
export const rejectedRequests: Check[] = [
  check(
    "AUTH-12",
    "a request rejected for a missing key changes nothing",
    casePerChange(null, 401, "unauthorized"),
  ),
  check(
    "AUTH-14",
    "a request rejected for a revoked key changes nothing",
    casePerChange("revoked", 401, "unauthorized"),
    { needs: ["keys.revoked"] },
  ),
  check(
    "AUTH-15",
    "a request rejected for a missing ability changes nothing",
    casePerChange("readOnly", 403, "forbidden"),
    { needs: ["keys.readOnly"] },
  ),
];
