// The file of the package's main entry: the face itself and, below, what the other face takes from it. One file more would cost
// every program a part of its start, and a copy would have errors of its own. No types name what stands below.
export { idempotencyKeyPattern, keyedCalls, requestIdHeader } from "../../generated/client/table.ts";
export { answerOf } from "./answer.ts";
export { exchange } from "./exchange.ts";
export * from "./index.ts";
export { notInPage } from "./page.ts";
export { addressForm, keyForm, parameterForm, usable } from "./usable.ts";
