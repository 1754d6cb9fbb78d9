import { UserError } from "../../lib/user-error.ts";

const mebi = 1024 * 1024;
/** The largest exchange that is read, in characters. */
const most = 64 * mebi;

/** @throws UserError with exit code 2 if an exchange is larger than what is kept in memory */
export function mustBeReadable(characters: number, file: string): void {
  if (characters <= most) return;
  throw new UserError(`${file} has an exchange of more than ${most / mebi} Mi characters`, {
    hint: "Remove it, or record the traffic without its body.",
    exitCode: 2,
  });
}
