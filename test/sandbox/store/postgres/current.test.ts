import { expect, test } from "vitest";
import { Current } from "../../../../sandbox/store/postgres/current.ts";
import type { Database } from "../../../../sandbox/store/postgres/database.ts";

test("a reply that comes after a refresh has read a newer value does not hide that value for long", async () => {
  // A real server cannot be told to delay the reply to a commit.
  const stored = { value: "first", version: 1 };
  const reply = Promise.withResolvers<never[]>();
  const row = () => ({ epoch: 1, version: stored.version, name: "clock", value: stored.value });
  const replies: Record<string, () => object[]> = {
    read_version: () => [{ epoch: 1, version: stored.version }],
    read_current: () => [row()],
    find_setting: () => [{ value: stored.value }],
    reserve: () => [{ reserved: 10_000 }],
  };
  const query = async ({ name }: { name: string }) => replies[name]?.() ?? [];
  const change = (value: string): void => void Object.assign(stored, { value, version: stored.version + 1 });
  const commit = (): Promise<never[]> => {
    change("own");
    return reply.promise;
  };
  const database = { query, transaction: (work: (session: object) => unknown) => work({ query, commit }) };
  const current = new Current({
    database: database as unknown as Database,
    workspace: "own",
    onCommit: () => {},
  });
  await current.refresh();
  const own = current.epoch.changeSetting("clock", () => ({ value: "own", result: undefined }));
  await expect.poll(() => stored.value).toBe("own");
  change("newer");
  await current.refresh();
  reply.resolve([]);
  await own;
  await current.refresh();
  expect(current.epoch.settings.get("clock")).toBe("newer");
});
