/** A sandbox's mail as a process of its own, to be killed: takes messages, tells their ids once they are kept, and hands them over. */
import { message } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";

const [data = "", smtp = "", round = ""] = process.argv.slice(2);
const office = await openPostOffice({ data, smtp, running: true });
for (let n = 0; n < 40; n++) {
  const id = `msg_${round}_${n}`;
  await office.send(message({ id }, { text: "x".repeat(n * 1000) }));
  process.stdout.write(`${id}\n`);
}
setInterval(() => {}, 1000);
