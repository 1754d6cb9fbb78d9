import { additions } from "../additions/server.ts";
import { keyVariants } from "./variants/keys.ts";
import { mailConfirmationVariants, mailVariants } from "./variants/mail.ts";
import { openVariants, pageVariants } from "./variants/open.ts";
import { rejectionVariants, requestVariants } from "./variants/requests.ts";
import { idVariants, shapeVariants } from "./variants/shape.ts";
import type { Variant } from "./variants/variant.ts";

const second = 1000;

/** Conforming variants: correct servers that differ from the sandbox in unspecified behaviour. */
export const variants: Variant[] = [
  { title: "is the unchanged sandbox" },
  ...shapeVariants,
  ...idVariants,
  ...openVariants,
  ...keyVariants,
  ...pageVariants,
  ...mailVariants,
  ...mailConfirmationVariants,
  ...rejectionVariants,
  ...requestVariants,
  {
    title: "delivers after more than a minute",
    sandbox: { delays: { delivery: 80 * second, bounce: 60 * second, complaint: 50 * second } },
  },
  {
    title: "delivers immediately",
    sandbox: { delays: { delivery: 0, bounce: 0, complaint: 0 } },
  },
  additions,
];
