import type { OperationId } from "../../../generated/operations.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import { bodyOf } from "./bodies.ts";
import { scheduled } from "./values.ts";

/** Creates what an operation is about, a scheduled message or a contact, and returns the path parameters. */
export async function existing(
  tester: ClientTester,
  operation: OperationId,
): Promise<Record<string, string>> {
  switch (operation) {
    case "getEmail":
    case "rescheduleEmail":
    case "cancelEmail":
      return { id: await scheduled(tester) };
    case "getContact":
    case "unsubscribeContact": {
      const { json } = await tester.request("upsertContact", { body: bodyOf("upsertContact", "signup") });
      return { email: (json as { email: string }).email };
    }
    default:
      return {};
  }
}
