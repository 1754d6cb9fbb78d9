// A sandbox, or one of several instances on a database, which is killed while it works.
import { startSandbox } from "../../../sandbox/index.ts";

const [data = "", smtp = ""] = process.argv.slice(2);
const sandbox = await startSandbox({
  ...{ data, smtp },
  // The rate limit is not what is tried here.
  requestsPerMinute: 1e9,
});
process.send?.({ url: sandbox.url });
process.on("disconnect", () => process.exit());
