import type { Node } from "../../../scripts/document/values.ts";
import { error, type Invalid, schema, type Valid } from "../fragments.ts";

const simulator = (...recipients: Node[]) =>
  schema(
    { enum: ["sent", "bounced"] },
    { "x-lifecycles": { message: { schema: "#/components/schemas/Thing" } }, "x-simulator": { recipients } },
  );

export const valid: Valid = {
  "states of a message": simulator({ localPart: "bounce", states: ["sent", "bounced"] }),
  "states that are unspecified": simulator({
    localPart: "list",
    states: [],
    "x-leaves-unspecified": ["OPEN-1"],
  }),
};

export const invalid: Invalid = {
  "a state that messages do not have": {
    document: simulator({ localPart: "bounce", states: ["sent", "returned"] }),
    findings: [
      error(
        "/x-simulator/recipients/0",
        "Correct the state returned of bounce in x-simulator: messages do not have it.",
      ),
    ],
  },
  "no state": {
    document: simulator({ localPart: "bounce", states: [] }),
    findings: [
      error(
        "/x-simulator/recipients/0",
        "Add states to bounce in x-simulator, or mark it with x-leaves-unspecified.",
      ),
    ],
  },
  "the same address twice": {
    document: simulator({ localPart: "bounce", states: ["sent"] }, { localPart: "bounce", states: ["sent"] }),
    findings: [error("/x-simulator/recipients/1", "Set a unique localPart for recipient 1 of x-simulator.")],
  },
};
