// The floor of proxies: bare node:http, which passes requests on and responses back. Plain JavaScript, like the floor of servers.
import { Agent, createServer, request } from "node:http";

const upstream = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 1024, scheduling: "lifo" });

const server = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const passed = request({ host: upstream.hostname, port: upstream.port, method, path, headers, agent });
  passed.on("response", (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  incoming.pipe(passed);
});

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, peak: process.resourceUsage().maxRSS * 1024 });
});

server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
