import { idVariants } from "./variants/ids.ts";
import { mailVariants } from "./variants/mail.ts";
import { mailConfirmationVariants } from "./variants/mail-confirmation.ts";
import { openVariants } from "./variants/open.ts";
import { pageVariants } from "./variants/pages.ts";
import { rejectionVariants } from "./variants/rejections.ts";
import { requestVariants } from "./variants/requests.ts";
import { shapeVariants } from "./variants/shape.ts";
import type { Variant } from "./variants/variant.ts";

const second = 1000;

/** Conforming variants: correct servers that differ from the sandbox in unspecified behaviour. */
export const variants: Variant[] = [
  { title: "is the unchanged sandbox" },
  ...shapeVariants,
  ...idVariants,
  ...openVariants,
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
];
