import type { Service } from "../../contract/client-suite/engine/driver-session.ts";
import { clientCases, runClient } from "../../contract/client-suite/run-client.ts";
import { serviceOf } from "../../scripts/client-suite/run-command.ts";
import { keysOfDemo } from "../../scripts/contract/targets.ts";
import { openFront, type ServerUnderTest } from "../bench/conformance/front.ts";
import { inProcessDriver } from "../client-mutants/in-process/driver.ts";

export interface ClientTrafficOptions extends ServerUnderTest {
  /** Called before each test case: the server is as at its start. */
  onReset: () => void;
  /** Asked before each test case: no more are run once it is false. */
  shouldContinue?: () => boolean;
}

/** Without those that wait for pauses of the client, which take half a minute. */
const cases = clientCases("full").filter(({ check }) => !check.waits);

/** Runs the client suite with the project's own client: what it sends to a server is the traffic of an application. */
export async function clientTraffic({
  onReset,
  shouldContinue = () => true,
  ...server
}: ClientTrafficOptions): Promise<void> {
  const { full: key = "" } = keysOfDemo();
  const startService = async (): Promise<Service> => {
    const { url, sandbox, close } = await openFront(server);
    const reset = async (): Promise<void> => {
      await sandbox.reset();
      onReset();
    };
    return { ...serviceOf(sandbox, key), baseUrl: url, reset, close };
  };
  await runClient({ cases, startDriver: inProcessDriver(), startService, concurrency: 1, shouldContinue });
}
