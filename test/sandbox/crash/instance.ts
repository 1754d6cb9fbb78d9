// One of several instances of a sandbox on a database, which relays to an SMTP server.
import { startSandbox } from "../../../sandbox/index.ts";

const [data = "", smtp = ""] = process.argv.slice(2);
const sandbox = await startSandbox({
  ...{ data, smtp },
  // The rate limit is not what is tried here.
  requestsPerMinute: 1e9,
});
process.send?.({ url: sandbox.url, now: sandbox.clock.now() });
process.on("disconnect", () => process.exit());
