import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { batchOf } from "./kit.ts";

/** Trials of a message on its own and as one of a batch. */
export const alone = { title: "sendEmail", operation: "sendEmail", core: true } as const;
export const inBatch = { title: "sendBatch", operation: "sendBatch", core: true } as const;

/** Hands in a message on its own, or in a batch. */
export const handIn = (
  tester: Tester,
  operation: "sendEmail" | "sendBatch",
  body: Record<string, unknown>,
): Promise<Exchange> => tester.request(operation, { body: operation === "sendEmail" ? body : batchOf(body) });
