import type { OpenApiDocument } from "../../document/types.ts";
import { code, joined, siteLink } from "../text/markdown.ts";
import { smallPrint } from "../text/small-print.ts";
import type { Page } from "./page.ts";

export function simulatorPage(document: OpenApiDocument): Page {
  const simulator = document["x-simulator"];
  const recipients = simulator.recipients.map((recipient) =>
    joined(
      `## ${code(`${recipient.localPart}@`)}`,
      recipient.description,
      recipient.states.length === 0 ? "" : `States: ${recipient.states.map(code).join(" → ")}`,
      smallPrint(recipient),
    ),
  );
  return {
    path: "simulator",
    title: "Simulated recipients",
    description: "Recipients for tests: the outcome of a message to each of them is known in advance.",
    text: joined(
      simulator.description,
      `The recipients are at the simulator domain, here ${code(simulator.domain)}. The states are described under ${siteLink("Lifecycles", "lifecycles#message")}.`,
      smallPrint(simulator),
      ...recipients,
    ),
  };
}
