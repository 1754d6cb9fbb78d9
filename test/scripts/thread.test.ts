import { expect, test } from "vitest";
import { startInThread } from "../../scripts/common/thread.ts";

const file = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

test.each([
  ["ends before it listens", "process.exit()", "it ended before it listened"],
  ["fails", 'throw new Error("no such port")', "no such port"],
])("a thread that %s rejects", async (_, text, message) => {
  await expect(startInThread(file(text), {})).rejects.toThrow(message);
});
