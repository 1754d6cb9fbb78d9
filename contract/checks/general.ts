import { type Check, check } from "../engine/check.ts";
import { assertSuccess } from "../support/assertions.ts";
import { casePerOperation, okResponse, operationsOfProduct } from "../support/requests.ts";

const all = operationsOfProduct();

export const general: Check[] = [
  check(
    ["GEN-1", "VER-1"],
    "each operation is reachable at its documented path",
    casePerOperation(all, all, async (tester, operation) =>
      assertSuccess(await okResponse(tester, operation)),
    ),
  ),
];
