/**
 * A sandbox's mail as a process of its own, to be killed: takes messages, tells their ids once they are kept, and hands them over: each as
 * soon as it is taken, or with `together` all of them once all are taken.
 */
import { message } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";

const [data = "", smtp = "", round = "", mode = ""] = process.argv.slice(2);
const office = await openPostOffice({ data, smtp, running: mode !== "together" });
const messages = Array.from({ length: 40 }, (_, n) =>
  message({ id: `msg_${round}_${n}` }, { text: "x".repeat(n * 1000) }),
);
const takings = mode === "together" ? [messages] : messages.map((one) => [one]);
for (const taking of takings) {
  await office.send(...taking);
  for (const { id } of taking) process.stdout.write(`${id}\n`);
}
setInterval(() => {}, 1000);
