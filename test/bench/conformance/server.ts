// A server under test in a process of its own: `unchanged 0`, `mutant 12`, `independent 7` or `variant 3`.
import { writeFile } from "node:fs/promises";
import { harOf } from "../../../contract/report/har.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { openFront } from "./front.ts";
import { type Kind, serverAt } from "./servers.ts";

const [kind, index] = process.argv.slice(2) as [Kind, string];
const front = await openFront(await serverAt(kind, Number(index)));

process.on("message", async ({ har }: { har?: string }) => {
  const exchanges = front.exchanges.map((exchange) => ({ exchange, comment: "" }));
  const tool = { name: "email-api-contract" as const, version: packageJson.version };
  if (har !== undefined) await writeFile(har, harOf(exchanges, { baseUrl: front.url, tool }));
  process.send?.({ requests: front.requests() });
});
process.on("disconnect", () => process.exit());
process.send?.({ url: front.url });
