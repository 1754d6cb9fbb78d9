// The floor: a node:http server that parses the JSON body and returns a fixed response. Plain JavaScript, so that no types are stripped at its start.
import { createServer } from "node:http";

const text = JSON.stringify({
  id: "msg_1k7utf67u00000022bi1",
  to: ["ada@readers.example"],
  suppressed: [],
});

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(202, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  });
});

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, peak: process.resourceUsage().maxRSS * 1024 });
});

server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
