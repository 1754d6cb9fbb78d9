// A sandbox that keeps everything in the folder given, and moves its clock on by itself until it is killed.
import { startSandbox } from "../../../sandbox/index.ts";

const sandbox = await startSandbox({
  data: process.argv[2] ?? "",
  // The rate limit is not what is tried here.
  requestsPerMinute: 1e9,
});
process.send?.({ url: sandbox.url, now: sandbox.clock.now() });

const everyMilliseconds = 15;
let step = 0;
setInterval(async () => {
  step += 1;
  await sandbox.clock.advance((step % 10) * 1_000);
  process.send?.({ now: sandbox.clock.now() });
}, everyMilliseconds);
process.on("disconnect", () => process.exit());
