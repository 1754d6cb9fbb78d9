import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { compose } from "../../../sandbox/mail/compose.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { cancel } from "../store/records.ts";
import { message, sentAt } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

const folderOf = (name = "outbox") => path.join(root, "mail", name);

test("every sent message is written, for any recipient, and nothing else", async () => {
  const office = await openPostOffice({ folder: folderOf() });
  const simulated = message({ id: "msg_0002", to: ["success@simulator.example"] });
  const scheduled = message({
    id: "sched_0003",
    status: "scheduled",
    sentAt: null,
    scheduledAt: sentAt + 1000,
    dueAt: sentAt + 1000,
  });
  const canceled = message({ ...scheduled, id: "sched_0004" }, scheduled.content);
  await office.send(message({ bcc: ["secret@example.org"] }), simulated, scheduled, canceled);
  await cancel(office.store, "acme", canceled.id);
  await office.close();
  expect(readdirSync(folderOf()).sort()).toEqual(["msg_0001.eml", "msg_0002.eml"]);
  await office.clock.advance(1000);
  await office.close();
  expect(readdirSync(folderOf()).sort()).toEqual(["msg_0001.eml", "msg_0002.eml", "sched_0003.eml"]);
  for (const id of ["msg_0001", "msg_0002", "sched_0003"]) {
    const bytes = readFileSync(path.join(folderOf(), `${id}.eml`));
    expect(bytes.equals(Buffer.from(await compose(await office.read(id))))).toBe(true);
  }
  await office.end();
});

test("messages missing because of a crash are written at the next start; existing files are unchanged", async () => {
  const data = path.join(root, "data");
  const before = await openPostOffice({ data });
  await before.send(...Array.from({ length: 120 }, (_, n) => message({ id: `msg_${n}` })));
  await before.end();
  const first = await openPostOffice({ data, folder: folderOf() });
  await first.end();
  expect(readdirSync(folderOf())).toHaveLength(120);
  writeFileSync(path.join(folderOf(), "msg_7.eml"), "mine");
  rmSync(path.join(folderOf(), "msg_8.eml"));
  await (await openPostOffice({ data, folder: folderOf() })).end();
  expect(readdirSync(folderOf())).toHaveLength(120);
  expect(readFileSync(path.join(folderOf(), "msg_7.eml"), "utf8")).toBe("mine");
});

test("an id cannot lead out of the folder", async () => {
  const office = await openPostOffice({ folder: folderOf() });
  await office.send(message({ id: "../../msg_1" }));
  await office.end();
  expect(readdirSync(folderOf())).toEqual([".._.._msg_1.eml".replaceAll(".", "_").replace("_eml", ".eml")]);
});

test("a folder that cannot be created is a UserError that names it", async () => {
  writeFileSync(path.join(root, "file"), "");
  const folder = path.join(root, "file", "outbox");
  await expect(openPostOffice({ folder })).rejects.toThrow(UserError);
  await expect(openPostOffice({ folder })).rejects.toThrow(folder);
});

test("what an earlier process left of files it was writing is removed at the start, and nothing else", async () => {
  await (await openPostOffice({ folder: folderOf() })).end();
  const leftovers = [".msg_1.eml-77", ".sched_2.eml-8", ".confirm_msg_3.eml-9", ".probe-77"];
  const others = ["notes.txt", ".notes", "msg_1.eml-77", ".msg_1.eml", ".letter.eml-77"];
  for (const name of [...leftovers, ...others]) writeFileSync(path.join(folderOf(), name), "part");
  await (await openPostOffice({ folder: folderOf() })).end();
  expect(readdirSync(folderOf()).sort()).toEqual(others.sort());
});

test("a message that cannot be written completely leaves no file", async () => {
  const office = await openPostOffice({ folder: folderOf() });
  await office.close();
  // Its name is taken by a folder, so that the last step fails.
  mkdirSync(path.join(folderOf(), "msg_0001.eml"));
  await office.send(message(), message({ id: "msg_0002" }));
  await office.end();
  expect(office.errors).toHaveLength(1);
  expect(readdirSync(folderOf()).sort()).toEqual(["msg_0001.eml", "msg_0002.eml"]);
});

test("messages that cannot be written are reported, and written with the next one", async () => {
  const office = await openPostOffice({ folder: folderOf() });
  await office.close();
  rmSync(folderOf(), { recursive: true });
  await office.send(message(), message({ id: "msg_0002" }));
  await office.close();
  const reason = "ENOENT: no such file or directory; missing messages are written with the next one";
  const expected = {
    name: "UserError",
    message: `cannot write to the outbox folder ${folderOf()}: ${reason}`,
  };
  expect(office.errors).toMatchObject([expected, expected]);
  mkdirSync(folderOf());
  await office.send(message({ id: "msg_0003" }));
  await office.end();
  expect(office.errors).toHaveLength(2);
  expect(readdirSync(folderOf()).sort()).toEqual(["msg_0001.eml", "msg_0002.eml", "msg_0003.eml"]);
});

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

test("if the process ends within a reset, the messages are still in the store, and are written again at the next start", async () => {
  const office = await openPostOffice({ data: data(), folder: folderOf() });
  await office.send(message({ id: "msg_1" }), message({ id: "msg_2" }));
  await office.close();
  vi.spyOn(office.store, "reset").mockRejectedValue(new Error("killed"));
  await expect(office.reset()).rejects.toThrow("killed");
  expect(names()).toEqual([]);
  await office.end();
  await (await openPostOffice({ data: data(), folder: folderOf() })).end();
  expect(names()).toEqual(["msg_1.eml", "msg_2.eml"]);
});
