import { requestVariants } from "./requests.ts";
import { resultVariants } from "./results.ts";
import { retryVariants } from "./retries.ts";
import type { ClientVariant } from "./variant.ts";

/** Conforming variants: correct clients that differ in what is up to a client. */
export const clientVariants: readonly ClientVariant[] = [
  { title: "is the unchanged client", create: () => ({}) },
  ...retryVariants,
  ...requestVariants,
  ...resultVariants,
];
