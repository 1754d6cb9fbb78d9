import { expect, test } from "vitest";
import type { Download } from "../../../sandbox/api/context.ts";
import { fetchLinks, isPublicAddress, linkProblem } from "../../../sandbox/mail/link.ts";
import { file } from "./messages.ts";
import { privateRecords, words } from "./rejected-links.ts";

const publicAddresses = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
  223.255.255.255 2606:4700:4700::1111 2a00:1450:4001:800::200e 2001:4860:4860::8888
`);

test.each([
  ...words(`
    https://files.example.com/terms.pdf HTTPS://FILES.EXAMPLE.COM/terms.pdf https://files.example.com
    https://files.example.com./a https://files.example.com:443/a https://files.example.com/a?b=c@d#e
    https://files.example.com/%E2%82%AC https://bücher.example/ä https://xn--bcher-kva.example/
    https://a_b.example.com/ https://localhost.example.com/ https://files.example.com/http://127.0.0.1/
    https://127.0.0.1.example.com/ https://local.example/ https://example.com/?url=https://user@127.0.0.1/
  `),
  ...publicAddresses.map((address) => `https://${address.includes(":") ? `[${address}]` : address}/`),
])("the link %s is valid", (link) => {
  expect(linkProblem(link)).toBeNull();
});

test.each([
  ...privateRecords.map((address) => ({ address, isPublic: false })),
  ...publicAddresses.map((address) => ({ address, isPublic: true })),
])("$address is public: $isPublic", ({ address, isPublic }) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test.each([
  ...words("0x7f.1 127.1 2130706433 0177.0.0.1 8.8 fe80::1%eth0 2606:4700::1%eth0 localhost [::1]"),
  "",
  "8.8.8.8 ",
])("%j is no public address: DNS gives none that is spelled so", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

const link = (name: string) => ({
  filename: `${name}.pdf`,
  path: `https://files.example.com/${name}`,
  content_id: name,
});
const given = file("given.txt", "given");

function hostOf(files: Record<string, Awaited<ReturnType<Download>>>) {
  const asked: [string, number][] = [];
  const missing = { problem: "The host of the link responded with 404.", tooLarge: false };
  const download: Download = async (path, room) => {
    asked.push([path, room]);
    return files[path.split("/").at(-1) ?? ""] ?? missing;
  };
  return { asked, download };
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
