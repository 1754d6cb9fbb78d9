import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import { root } from "../common/paths.ts";

/** The languages of the driver templates, with the command that runs a driver. */
export const templates = {
  python: { file: "driver.py", command: "python3 driver.py" },
  typescript: { file: "driver.ts", command: "node driver.ts" },
  go: { file: "driver.go", command: "go run driver.go" },
  php: { file: "driver.php", command: "php driver.php" },
} as const;
export type TemplateLanguage = keyof typeof templates;

/** The folder of the templates, absolute. */
const templatesFolder = join(root, "scripts/client-suite/templates");

/**
 * The command `client init`: writes a driver with one operation, which stands for those of a client.
 *
 * @returns the exit code, 0
 * @throws UserError with exit code 2 if the file exists
 */
export async function runClientInit(
  language: TemplateLanguage,
  { output = templates[language].file, force = false }: { output?: string; force?: boolean } = {},
): Promise<number> {
  const { file, command } = templates[language];
  const found = await stat(output).catch(() => undefined);
  if (found?.isDirectory() === true)
    throw new UserError(`--output needs a file: ${output} is a directory`, {
      hint: `Give the name of a file, such as ${join(output, file)}.`,
      exitCode: 2,
    });
  const template = await readFile(join(templatesFolder, file), "utf8");
  await writeFile(output, template, { flag: force ? "w" : "wx" }).catch((cause: NodeJS.ErrnoException) => {
    const hint =
      cause.code === "EEXIST"
        ? "Use --force to overwrite it, or --output to write another file."
        : `The system says: ${cause.message}`;
    const what = cause.code === "EEXIST" ? "already exists" : "cannot be written";
    throw new UserError(`${output} ${what}`, { hint, exitCode: 2, cause });
  });
  console.log(`Written: ${output}`);
  console.log(
    wrapped(
      `Next: run \`email-api-contract client --driver "${command.replace(file, output)}"\`, which tests its one operation, then put your client in its place.`,
    ),
  );
  return 0;
}
