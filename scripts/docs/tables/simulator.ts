import type { OpenApiDocument } from "../../document/types.ts";
import { code, joined, siteLink } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";

/** The addresses whose mail has a known fate. */
export function simulatorPage(document: OpenApiDocument): Page {
  const simulator = document["x-simulator"];
  const rows = simulator.recipients.map((recipient) =>
    joined(
      `## ${code(`${recipient.localPart}@`)}`,
      recipient.description,
      recipient.states.length === 0
        ? ""
        : `The message goes through: ${recipient.states.map(code).join(" → ")}.`,
      smallPrint(recipient),
    ),
  );
  return {
    address: "simulator",
    title: "Simulator addresses",
    description: "Addresses for trying things out, where what becomes of a message is known beforehand.",
    text: joined(
      simulator.description,
      `The addresses stand at the simulator domain of the service, ${code(simulator.domain)}. What the states mean is told under ${siteLink("the life of a message", "lifecycles#message")}.`,
      smallPrint(simulator),
      ...rows,
    ),
  };
}
