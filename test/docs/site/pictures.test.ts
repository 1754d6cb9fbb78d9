import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../scripts/common/paths.ts";
import { mostBytes, textFile, writePictures } from "../../pictures/pictures.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { siteUrl } from "./visit.ts";

/** The names of the pictures in a folder, each of which is WebP and small. */
function picturesIn(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((name) => name !== textFile)
    .sort();
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    expect(bytes.subarray(0, 12).toString("latin1"), name).toMatch(/^RIFF....WEBP$/s);
    expect(bytes.length, name).toBeLessThanOrEqual(mostBytes);
  }
  return names;
}

test("the command for the pictures of the README writes those that it shows, and none is stale", {
  timeout: 300_000,
}, async () => {
  const folder = temporaryFolder();
  const files = await writePictures(siteUrl, folder);
  const written = picturesIn(folder);
  expect(files.map((file) => basename(file)).sort()).toEqual([textFile, ...written].sort());
  const committed = join(root, "docs/pictures");
  expect(picturesIn(committed)).toEqual(written);
  const [shownNow, shownThen] = [folder, committed].map((one) => readFileSync(join(one, textFile), "utf8"));
  expect(shownThen, "npm run pictures").toBe(shownNow);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const shown = [...readme.matchAll(/docs\/pictures\/([\w-]+\.webp)/g)].map(([, name]) => name);
  expect(shown.sort()).toEqual(written);
});
