import { setFlagsFromString } from "node:v8";

/**
 * Keeps the heap near the size of what is in use, for a process that holds much and creates little else: the young generation stays small, and
 * the old one is collected once it has doubled. A flag of the process would not be set in an installed command.
 */
export function limitHeap(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=100");
}
