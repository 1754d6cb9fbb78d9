/** Resets a store in the folder given again and again, each time with a life of a new number, until it is killed; says which life has begun. */
import { writeSync } from "node:fs";
import { openSqlite } from "../../../../sandbox/store/sqlite/store.ts";
import { numberIn } from "../numbers.ts";
import { sentMessage, taking, withSettings } from "../records.ts";

const store = openSqlite({ folder: process.argv[2] ?? "", numberIn });
for (let life = Number(store.setting("life") ?? 0) + 1; ; life += 1) {
  await store.reset(withSettings({ life: String(life) }));
  writeSync(1, `${life}\n`);
  const messages = Array.from({ length: 20 }, (_, index) => sentMessage(`${life}-${index}`));
  await store.accept(taking(messages));
}
