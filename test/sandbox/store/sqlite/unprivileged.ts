// Opens data folders as a user who is not root, and prints why each cannot be used.
import { openDataFolder } from "../../../../sandbox/store/sqlite/data-folder.ts";

if (process.getuid?.() === 0) process.setuid?.(65_534);
for (const folder of process.argv.slice(2)) {
  try {
    openDataFolder(folder);
    console.log("opened");
  } catch (error) {
    console.log(`${error}`);
  }
}
process.exit();
