import { readdirSync } from "node:fs";
import { UserError } from "../../../lib/user-error.ts";

/** What the sandbox writes first. */
const own = /^sandbox(\.generation-\d+)?\.(created|db|lock)/;

/** What systems put into folders: hidden files, and the folder at the root of a volume. */
const ignored = /^(\..*|lost\+found)$/;

/**
 * A folder that has files of others and none of the sandbox is probably not the one that was meant.
 *
 * @throws UserError if the folder is neither empty nor a sandbox's own
 */
export function rejectForeignFiles(folder: string): void {
  const names = readdirSync(folder).filter((name) => !ignored.test(name));
  const [first] = names.sort();
  if (first === undefined || names.some((name) => own.test(name))) return;
  throw new UserError(`the data folder ${folder} has other files, such as ${first}`, {
    hint: "Choose a new or empty folder with --data: the sandbox keeps its databases there.",
  });
}
