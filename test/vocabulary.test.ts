import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/common/paths.ts";

/** Words that have a standard term, by that term. Only words that cannot mean anything else here. */
const replaced: Record<string, RegExp> = {
  response: /\b(?<!question and )answer(s|ed|ing)?\b|[a-z]Answer|\bAnswer[A-Z]/,
  "rejected, rejects":
    /\b[Rr]efus(e|es|al|als|ing)\b|(?<!connections? (is |was |are |be )?)\brefused\b|[a-z]Refus(e|al)/,
  requirement: /\b(laws?|broken promises?|promises? (hold|that the service)|kept promises?)\b/i,
  "test case": /\btrials?\b/i,
  command: /\bverbs?\b|[a-z]Verb\b/,
  "fix, remove, add, rename": /\bmend(s|ed|ing)?\b|\bput(s|ting)? (it |that |them )?right\b/i,
  "false positive": /\balarms?\b/i,
  mutant: /\bfaulty servers?\b|\bdeliberate faults?\b/i,
  email: /\be-mail/i,
  "gateway responses": /\bfront answers?\b|\bfrontAnswer/i,
  unspecified: /\b(left|leaves?) open\b|\bopen places?\b/i,
  "custom rule, disabled": /\bown rules?\b|\bswitched off\b/i,
  "exit code": /\bexit status\b/i,
  "if, when": /\bwhoever\b|\bunless told otherwise\b|\bwhere it is left out\b/i,
};

/** Files in which a word is right, with the reason. */
const exceptions: { file: RegExp; word: RegExp; reason: string }[] = [
  { file: /^test\/vocabulary\.test\.ts$/, word: /.*/, reason: "lists the words" },
  {
    file: /^generated\/validators\/\w+\.js$/,
    word: /^(answer|e-mail)$/,
    reason: "only in URLs in comments of ajv-formats",
  },
];

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(ts|js|mjs|yaml|md|css|json|sh|py)$/.test(file))
  // A file that was just removed is still listed.
  .filter((file) => existsSync(join(root, file)))
  .filter((file) => !/package-lock|^openapi\/releases\//.test(file));

const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

const isException = (file: string, word: string): boolean =>
  exceptions.some((exception) => exception.file.test(file) && exception.word.test(word));

test.each(Object.entries(replaced))("people read `%s`, not a private word", (_term, pattern) => {
  const everywhere = new RegExp(pattern, `${pattern.flags}g`);
  const found = texts
    .filter(({ text }) => pattern.test(text))
    .flatMap(({ file, text }) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          [...line.matchAll(everywhere)]
            .filter(([word]) => !isException(file, word))
            .map(([word]) => `${file}:${index + 1} ${word}`),
        ),
    );
  expect(found).toEqual([]);
});
