import type { Node } from "../document/values.ts";
import { type Comparison, classify } from "./comparison.ts";
import { findChanges } from "./documents.ts";

/** Compares two bundles and classifies every difference: breaking, additive or editorial. */
export const diff = (base: Node, revision: Node): Comparison =>
  classify(findChanges(base, revision), base, revision);
