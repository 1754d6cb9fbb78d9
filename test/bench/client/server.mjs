// A server that accepts every message with minimal work. It sends its URL to the parent process.
import { createServer } from "node:http";

const body = JSON.stringify({ id: "01JD7Q2M4T8VX3W5", to: ["c@d.example"], suppressed: [] });
const headers = {
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
  "x-service-request-id": "req_1",
  "x-ratelimit-limit": "120",
  "x-ratelimit-remaining": "119",
  "x-service-monthly-quota": "10000",
  "x-service-monthly-remaining": "9999",
};
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(202, headers).end(body));
});
server.listen(0, "127.0.0.1", () => process.send?.({ url: `http://127.0.0.1:${server.address().port}` }));
