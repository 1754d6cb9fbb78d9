import { changeMail } from "./mail.ts";
import type { Mutant } from "./mutant.ts";

const isConfirmation = (mime: string): boolean => mime.includes("Subject: Please confirm");

export const mailConfirmationMutants: Mutant[] = [
  changeMail("MEMB-12", "sends no confirmation email", (mime) => (isConfirmation(mime) ? undefined : mime)),
  changeMail("MEMB-12", "sends a confirmation email without a link", (mime) =>
    isConfirmation(mime) ? mime.replaceAll(/https?:/g, "") : mime,
  ),
];
