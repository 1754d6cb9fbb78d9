import { limits } from "../../generated/limits.ts";
import { confirmationPrefix } from "./confirmation.ts";
import type { Message } from "./records.ts";
import { day } from "./times.ts";

/** Whether the API shows a message: until its lookup period after sending ends, and never a confirmation email. */
export const canBeLookedUp = ({ id, sentAt }: Message, now: number): boolean =>
  !id.startsWith(confirmationPrefix) && (sentAt === null || now < sentAt + limits.messageLookup * day);
