import { expect, test } from "vitest";
import { openStores } from "../../../sandbox/store/open.ts";

test.each([0, -1, Number.NaN])("%s MiB of memory are rejected", async (memory) => {
  await expect(openStores({ memory })).rejects.toThrow(
    `memory must be a positive number of MiB (got ${memory})`,
  );
});
