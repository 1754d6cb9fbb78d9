// Instead of the composer of MIME messages, which needs the streams of Node.
import { ControlError } from "../../../../sandbox/control/response.ts";

export function compose(): never {
  throw new ControlError(
    501,
    "The sandbox in this page does not compose MIME messages.",
    "Start a sandbox with `npx email-api-contract sandbox`.",
  );
}
