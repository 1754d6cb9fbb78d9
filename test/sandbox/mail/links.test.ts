import { expect, test } from "vitest";
import type { Download } from "../../../sandbox/api/context.ts";
import { fetchLinks } from "../../../sandbox/mail/link.ts";
import { file } from "./messages.ts";

const link = (name: string) => ({
  filename: `${name}.pdf`,
  path: `https://files.example.com/${name}`,
  content_id: name,
});
const given = file("given.txt", "given");

function hostOf(files: Record<string, Awaited<ReturnType<Download>>>): {
  asked: [string, number][];
  download: Parameters<typeof fetchLinks>[1];
} {
  const asked: [string, number][] = [];
  return {
    asked,
    download: async (path, room) => {
      asked.push([path, room]);
      return (
        files[path.split("/").at(-1) ?? ""] ?? {
          problem: "The host of the link responded with 404.",
          tooLarge: false,
        }
      );
    },
  };
}

test("links are replaced by files, in the same order; other attachments are not changed", async () => {
  const { download, asked } = hostOf({ a: { bytes: Buffer.from("aaa") }, b: { bytes: Buffer.from("bb") } });
  expect(await fetchLinks([link("a"), given, link("b")], download, 100)).toEqual({
    attachments: [
      { filename: "a.pdf", content_id: "a", content: Buffer.from("aaa").toString("base64") },
      given,
      { filename: "b.pdf", content_id: "b", content: Buffer.from("bb").toString("base64") },
    ],
  });
  expect(asked).toEqual([
    ["https://files.example.com/a", 100],
    ["https://files.example.com/b", 97],
  ]);
});

test("every failed link is reported", async () => {
  const { download } = hostOf({ b: { bytes: Buffer.from("bb") } });
  const problem = "The host of the link responded with 404.";
  expect(await fetchLinks([given, link("a"), link("b"), link("c")], download, 100)).toEqual({
    problems: { "attachments.1.path": problem, "attachments.3.path": problem },
    tooLarge: false,
  });
});

test("downloads stop at the size limit", async () => {
  const { download, asked } = hostOf({
    a: { problem: "The file is too large for a message.", tooLarge: true },
  });
  expect(await fetchLinks([link("a"), link("b")], download, 100)).toEqual({
    problems: { "attachments.0.path": "The file is too large for a message." },
    tooLarge: true,
  });
  expect(asked).toHaveLength(1);
});
