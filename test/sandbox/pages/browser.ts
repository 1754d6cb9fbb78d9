import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { root } from "../../../scripts/common/paths.ts";
import { toolFolder } from "../../tools/tools.ts";

/** The path of an installed Chromium: CHROMIUM, or where common systems install it. */
const installed = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Whether the package contains Chromium for this machine. */
const isPackaged = process.platform === "linux" && process.arch === "x64";

export const hasBrowser = installed !== undefined || isPackaged;
if (!hasBrowser)
  console.warn(
    "Chromium was not found, and its npm package has none for this machine: tests in a browser are skipped. Install it, or set CHROMIUM to its path.",
  );

/** Starts the browser headless, without background requests: the installed one, or that of the npm package. */
export const openBrowser = async (options: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    ...(installed === undefined ? await packagedChromium() : { executablePath: installed }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...options,
    ],
  });

const unpack = `const { inflate } = await import("@sparticuz/chromium");
for (const file of JSON.parse(process.argv[1])) await inflate(file);`;

/** The Chromium of the npm package: its program and environment. Unpacked once, into the caches of `node_modules`. */
async function packagedChromium(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const source = toolFolder("@sparticuz/chromium");
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as { version: string };
  const folder = join(root, "node_modules/.cache", `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder, join(source, "bin"));
  const env = {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: join(folder, "al2023/lib"),
    ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_FILE: join(folder, "fonts.conf") }),
  };
  return { executablePath: join(folder, "chromium"), env };
}

/** The package unpacks into the folder for temporary files, which is a new one here: other processes may do the same. */
async function unpackInto(folder: string, archives: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}-`);
  const files = ["chromium.br", "al2023.tar.br", "fonts.tar.br"].map((file) => join(archives, file));
  const args = ["--input-type=module", "--eval", unpack, JSON.stringify(files)];
  await promisify(execFile)(process.execPath, args, {
    // Its modules are found from here.
    cwd: join(root, "test/tools"),
    env: { ...process.env, TMPDIR: temporary },
  });
  await writeFile(join(temporary, "fonts.conf"), fontsIn(folder));
  await rename(temporary, folder).catch(async (error: unknown) => {
    await rm(temporary, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
}

/** The configuration of fonts in the package names folders of other systems. Pages crash without any font. */
const fontsIn = (folder: string): string =>
  `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`;
