import { idVariants } from "./variants/ids.ts";
import { openVariants } from "./variants/open.ts";
import { shapeVariants } from "./variants/shape.ts";
import type { Variant } from "./variants/variant.ts";

const second = 1000;

/** Servers that differ from the sandbox in what is left to them: none may raise an alarm. */
export const variants: Variant[] = [
  { title: "is the sandbox as it is" },
  ...shapeVariants,
  ...idVariants,
  ...openVariants,
  {
    title: "delivers after a minute and more",
    sandbox: { delays: { delivery: 80 * second, bounce: 60 * second, complaint: 50 * second } },
  },
  {
    title: "delivers at once",
    sandbox: { delays: { delivery: 0, bounce: 0, complaint: 0 } },
  },
];
