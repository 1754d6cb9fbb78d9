import { wrapped } from "../../../lib/wrap-text.ts";
import { hooksOf } from "../engine/hooks.ts";
import type { Settings } from "../engine/settings.ts";
import { planOf } from "../plan.ts";
import { type Estimate, forecast } from "./costs.ts";
import { counted, prospect } from "./prospect.ts";

/**
 * The option `--dry-run`: says for each law what it would send, and what the run would take. Nothing is sent.
 *
 * @param grep only laws whose ids and words it matches
 * @returns the exit status, 0
 */
export async function dryRun(
  settings: Settings,
  grep?: RegExp,
  { print = console.log }: { print?: (text: string) => void } = {},
): Promise<number> {
  const plan = planOf(settings, grep);
  const hooks = await hooksOf(settings);
  const { laws, missing } = forecast(settings, plan, hooks);
  const whole = missing.filter(({ inPart }) => !inPart);
  print(
    [
      wrapped(
        `${settings.baseUrl}, profile ${settings.profile}. Nothing is changed or mailed now; a run would send:`,
      ),
      ...laws.map(lawText),
      ...whole.map(({ ids, law, needs }) =>
        wrapped(`${ids.join(" ")} ${law}: does not run; not configured: ${needs.join(", ")}`, "  "),
      ),
      "",
      prospect(settings, plan, hooks),
    ].join("\n"),
  );
  return 0;
}

function lawText({ ids, law, requests, messages, recipients, isUnknown }: Estimate): string {
  const head = wrapped(`${ids.join(" ")} ${law}`, "  ");
  if (isUnknown) return `${head}\n    never measured`;
  const calls = Object.entries(requests)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => unbroken(`${rounded(count)} ${name}`));
  const mail =
    messages > 0
      ? ` (${counted(rounded(messages), "e-mail")} to ${counted(rounded(recipients), "recipient")})`
      : "";
  // What a law shares with others is counted where it is made first.
  const text = calls.length === 0 ? "nothing but what other laws send" : `${calls.join(", ")}${mail}`;
  return `${head}\n${wrapped(`    ${text}`, "    ").replaceAll("\u00A0", " ")}`;
}

/** With spaces at which no line is broken. */
const unbroken = (text: string): string => text.replaceAll(" ", "\u00A0");

/** At least one where there is something at all. */
const rounded = (count: number): number => Math.max(1, Math.round(count));
