import { TooManyFailures } from "../../api/failures.ts";
import { failureView } from "../failure-view.ts";
import type { GatewayServices, Operation } from "../operation.ts";
import { ControlError, json } from "../response.ts";
import {
  type FailureInput,
  failureFields,
  failureOf,
  matchOf,
  rejectOthers,
  requestsOf,
} from "./failure-input.ts";

const example = { failure: "503", requests: 2 };

const activeFailures = ({ failures }: GatewayServices, added = {}) =>
  json({ ...added, failures: failures.pending().map(failureView) });

async function addFailure(services: GatewayServices, input: FailureInput): Promise<string> {
  rejectOthers(input);
  const match = matchOf(services.directory, input);
  try {
    return await services.failures.add(failureOf(input), requestsOf(input), match);
  } catch (error) {
    if (!(error instanceof TooManyFailures)) throw error;
    throw new ControlError(409, error.message, "End them with DELETE /sandbox/failures.");
  }
}

export const failureOperations: Operation[] = [
  {
    method: "GET",
    path: "/sandbox/failures",
    summary: "Lists the active failures with their ids, and how many requests have failed.",
    run: (services) => activeFailures(services),
  },
  {
    method: "POST",
    path: "/sandbox/failures",
    summary:
      "Makes the next API requests fail: all, or those that meet the conditions. A request gets the oldest failure that matches it.",
    fields: failureFields,
    required: ["failure"],
    example,
    async run(services, input: FailureInput) {
      return activeFailures(services, { id: await addFailure(services, input) });
    },
  },
  {
    method: "DELETE",
    path: "/sandbox/failures",
    summary: "Ends all failures.",
    async run(services) {
      await services.failures.clear();
      return activeFailures(services);
    },
  },
  {
    method: "DELETE",
    path: "/sandbox/failures/{id}",
    summary: "Ends one failure.",
    async run(services, { id = "" }: { id?: string }) {
      if (await services.failures.remove(id)) return activeFailures(services);
      throw new ControlError(
        404,
        `There is no failure ${JSON.stringify(id.slice(0, 100))}.`,
        "List the active ones with GET /sandbox/failures.",
      );
    },
  },
];
