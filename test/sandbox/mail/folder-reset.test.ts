import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../sandbox/store/open.ts";
import { withSettings } from "../store/records.ts";
import { message } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";

const data = () => path.join(root, "data");
const names = (name?: string) => readdirSync(folderOf(name)).sort();

test("a reset removes the messages from the folder, and nothing else", async () => {
  const office = await openPostOffice({ folder: folderOf() });
  await office.send(message({ id: "msg_1" }), message({ id: "confirm_msg_2" }));
  await office.close();
  for (const name of ["notes.txt", "letter.eml", ".msg_3.eml-77"])
    writeFileSync(path.join(folderOf(), name), "mine");
  await office.reset();
  await office.send(message({ id: "msg_4" }));
  await office.end();
  expect(names()).toEqual(["letter.eml", "msg_4.eml", "notes.txt"]);
});

test("a message accepted just before a reset is not written after it; one accepted after it is", async () => {
  const office = await openPostOffice({ folder: folderOf() });
  const before = office.send(message({ id: "msg_1", to: ["before@example.org"] }), message({ id: "msg_2" }));
  await Promise.all([before, office.reset()]);
  await office.send(message({ id: "msg_1", to: ["after@example.org"] }));
  await office.end();
  expect(names()).toEqual(["msg_1.eml"]);
  expect(readFileSync(path.join(folderOf(), "msg_1.eml"), "utf8")).toContain("after@example.org");
});

/** What a kill leaves between the reset of the store and the end of the emptying. */
async function cutOff(): Promise<void> {
  const office = await openPostOffice({ data: data(), folder: folderOf() });
  await office.send(message({ id: "msg_1" }), message({ id: "msg_2" }));
  await office.close();
  mkdirSync(folderOf("kept"));
  for (const name of names()) copyFileSync(path.join(folderOf(), name), path.join(folderOf("kept"), name));
  await office.end();
  const { store } = await openStore({ data: data() });
  await store.reset(withSettings({ "outbox-to-empty": folderOf() }));
  await store.close();
}

test("a folder that was not emptied because of a crash is emptied at the next start, once", async () => {
  await cutOff();
  await (await openPostOffice({ data: data(), folder: folderOf() })).end();
  expect(names()).toEqual([]);
  writeFileSync(path.join(folderOf(), "msg_9.eml"), "mine");
  await (await openPostOffice({ data: data(), folder: folderOf() })).end();
  expect(names()).toEqual(["msg_9.eml"]);
});

test("a folder other than that of the reset is unchanged", async () => {
  await cutOff();
  await (await openPostOffice({ data: data(), folder: folderOf("kept") })).end();
  expect(names("kept")).toEqual(["msg_1.eml", "msg_2.eml"]);
});
