// What `limitNetwork` lets through, in a process of its own.
import dns from "node:dns";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { limitNetwork } from "../../scripts/mcp/network.ts";

const server = createServer((request, response) => {
  if (request.url === "/redirect") response.writeHead(302, { location: "http://192.0.2.1/" }).end();
  else response.end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;

const addresses = new Map([
  ["allowed.test", "127.0.0.1"],
  ["localhost", "127.0.0.1"],
]);
const lookedUp: string[] = [];
Object.assign(dns, {
  lookup(name: string, _options: object, done: (error: null, found: object[]) => void) {
    lookedUp.push(name);
    done(null, [{ address: addresses.get(name), family: 4 }]);
  },
});

limitNetwork(["Allowed.Test"]);

const outcome = (error: unknown): string => {
  const { message } = Object(error).cause ?? error;
  return /is not allowed/.test(message) ? "not allowed" : message;
};
const status = (url: string): Promise<string> => fetch(url).then((one) => String(one.status), outcome);

const found: Record<string, string> = {
  "an address of this machine": await status(`http://127.0.0.1:${port}/`),
  "a name of this machine": await status(`http://localhost:${port}/`),
  "an allowed name": await status(`http://allowed.test:${port}/`),
};
addresses.set("localhost", "192.0.2.1");
found["a name of this machine that leads elsewhere"] = await status("http://localhost:8080/");
found["another name"] =
  `${await status("http://other.test/")}${lookedUp.includes("other.test") ? "" : ", not looked up"}`;
found["another address"] = await status("http://192.0.2.1/");
found["another address, with TLS"] = await status("https://192.0.2.1/");
found["all addresses of this machine"] = await status(`http://0.0.0.0:${port}/`);
found["a mapped address"] = await status(`http://[::ffff:127.0.0.1]:${port}/`);
found["a redirect to another address"] = await status(`http://127.0.0.1:${port}/redirect`);
found["another address by the module http"] = await new Promise((resolve) => {
  get("http://192.0.2.1/").on("error", (error) => resolve(outcome(error)));
});
process.stdout.write(JSON.stringify(found));
process.exit(0);
