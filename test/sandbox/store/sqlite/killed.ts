/** Takes fifty messages into the folder given, says so, takes one more without waiting for it, and ends by kill -9. */
import { writeSync } from "node:fs";
import { openSqlite } from "../../../../sandbox/store/sqlite/store.ts";
import { numberIn } from "../numbers.ts";
import { sentMessage, taking } from "../records.ts";

const store = openSqlite({ folder: process.argv[2] ?? "", numberIn });
const ids = Array.from({ length: 50 }, () => `msg_${store.nextSequence()}`);
await Promise.all(ids.map((id) => store.accept(taking([sentMessage(id)]))));
const last = store.nextSequence();
writeSync(1, JSON.stringify({ ids, last }));
void store.accept(taking([sentMessage("msg_unanswered")]));
process.kill(process.pid, "SIGKILL");
