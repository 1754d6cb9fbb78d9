import type { Role } from "../../contract/engine/settings.ts";
import type { Tester } from "../../contract/engine/tester.ts";
import { type Exchange, errorOf, isSuccess } from "../../contract/exchange.ts";
import { recipientFields } from "../../contract/support/suppressed-recipients.ts";

/** Days ahead that messages are scheduled: nearly the maximum, in case one cannot be canceled. */
const daysAhead = 28;
/** How far the server's clock may have been advanced, in units of `daysAhead`: more than a year. */
const maxPeriods = 14;
const day = 24 * 3600 * 1000;

/**
 * Probes settings with scheduled messages, which the server validates completely but does not send. Each is canceled at once.
 */
export class ScheduledProbes {
  readonly #tester: Tester;
  canceled = 0;
  /** The ids of messages that could not be canceled. */
  readonly left: string[] = [];
  /** The ids of messages that the server most likely sent at once: without a time in the response, and not canceled. */
  readonly sent: string[] = [];
  /** Whether a message from domains.verified was rejected, so that other probes show nothing. */
  #isRejected = false;
  #verified: Promise<ProbeResult> | undefined;

  constructor(tester: Tester) {
    this.#tester = tester;
  }

  /** A domain by its expected state; the verified one is probed once. */
  ofDomain(state: "verified" | "restricted" | "unfinished" | "stopped"): Promise<ProbeResult> {
    if (state !== "verified") return this.#ofDomain(state);
    this.#verified ??= this.#ofDomain(state);
    return this.#verified;
  }

  async #ofDomain(state: "verified" | "restricted" | "unfinished" | "stopped"): Promise<ProbeResult> {
    const { keys, fixtures } = this.#tester.settings;
    const from = fixtures.domains?.[state];
    const role = state === "restricted" && keys.restricted !== undefined ? "restricted" : "full";
    const first = await this.#schedule({ from: `contract@${from}` }, role);
    if (first === undefined) return unproven(this.#notChecked(needsRecipient));
    const response =
      state === "verified" && first.status === 422
        ? await this.#scheduleLater(`contract@${from}`, first)
        : first;
    if (state === "verified") this.#isRejected = !isSuccess(response);
    if (state === "verified" || state === "restricted") return accepted(response, "A message from it");
    if (isRejectedWith(response, 409)) return ok("rejects messages, as expected");
    return wrong(`A message from it responds with ${responseText(response)}, not 409 send_rejected.`);
  }

  async ofRole(role: Role): Promise<ProbeResult> {
    const { keys, fixtures } = this.#tester.settings;
    if (keys[role] === undefined) return unproven(`Not checked: it needs keys.${role}.`);
    const response = await this.#schedule({ from: `contract@${fixtures.domains?.ofRole?.[role]}` }, role);
    if (response === undefined) return unproven(this.#notChecked(needsRecipient));
    if (role === "noPlan") return rejectedForProduct(response, "A message from it", "domain");
    if (role !== "atCeiling") return accepted(response, "A message from it");
    if (isRejectedWith(response, 429)) return ok("its account is at its sending ceiling");
    return isSuccess(response)
      ? unproven("Only a run shows the ceiling.")
      : accepted(response, "A message from it");
  }

  async ofTemplate(name: "template" | "unpublishedTemplate"): Promise<ProbeResult> {
    const { id, variables } = this.#tester.settings.fixtures[name] ?? {};
    const response = await this.#scheduleFromVerified({
      subject: undefined,
      text: undefined,
      template_id: id,
      ...(variables && { variables }),
    });
    if (response === undefined) return unproven(this.#notChecked(needsBoth));
    if (name === "template") return accepted(response, "A message made from it");
    return response.status >= 400 && response.status < 500
      ? unproven("messages are rejected; whether the account has this template cannot be checked")
      : wrong(`A message made from it responds with ${responseText(response)}, not with an error.`);
  }

  async ofSuppressed(addresses: readonly string[]): Promise<ProbeResult> {
    const responses: Exchange[] = [];
    for (const address of addresses) {
      const response = await this.#scheduleFromVerified({ to: [address] });
      if (response === undefined) return unproven(this.#notChecked(needsBoth));
      responses.push(response);
    }
    for (const [index, response] of responses.entries())
      if (!isRejectedWith(response, 422))
        return wrong(
          `A message to the entry [${index}] responds with ${responseText(response)}, not 422 send_rejected. Use suppressed email addresses.`,
        );
    return addresses.length < recipientFields.length
      ? unproven(
          "messages to them are rejected, but there are fewer than three: suppressed recipients in cc and bcc are not verified in full",
        )
      : ok("messages to them are rejected, as expected");
  }

  async ofAttachment(): Promise<ProbeResult> {
    const { attachmentLink } = this.#tester.settings.fixtures;
    const attachments = [{ filename: "contract.txt", path: attachmentLink }];
    const response = await this.#scheduleFromVerified({ attachments });
    return response === undefined
      ? unproven(this.#notChecked(needsBoth))
      : accepted(response, "A message with it");
  }

  /**
   * Finds the time of a server whose clock is ahead, by scheduling ever later; the run uses it from then on.
   * @returns the response to the accepted message, or the first one
   */
  async #scheduleLater(from: string, first: Exchange): Promise<Exchange> {
    const { run } = this.#tester;
    const before = run.offset;
    for (let times = 1; times < maxPeriods; times += 1) {
      run.offset = times * daysAhead * day;
      const response = await this.#schedule({ from }, "full");
      if (response !== undefined && isSuccess(response)) return response;
    }
    run.offset = before;
    return first;
  }

  async #scheduleFromVerified(changes: Record<string, unknown>): Promise<Exchange | undefined> {
    const verified = this.#tester.settings.fixtures.domains?.verified;
    return verified === undefined || this.#isRejected
      ? undefined
      : this.#schedule({ from: `contract@${verified}`, ...changes }, "full");
  }

  /** Undefined if there is no recipient, or if the server sends scheduled messages at once. */
  async #schedule(changes: Record<string, unknown>, key: Role): Promise<Exchange | undefined> {
    const tester = this.#tester;
    const { simulatorDomain, recipientDomain } = tester.settings.fixtures;
    const to =
      simulatorDomain === undefined
        ? recipientDomain && `contract-${tester.run.unique()}@${recipientDomain}`
        : `success@${simulatorDomain}`;
    if (to === undefined && !("to" in changes)) return undefined;
    // One unwanted email is enough.
    if (this.sent.length > 0) return undefined;
    const at = new Date(tester.run.now() + daysAhead * day);
    const body = {
      to: [to],
      subject: `Contract doctor ${tester.run.unique()}`,
      text: "Scheduled by contract doctor to check the configuration, and canceled at once.",
      scheduled_at: at.toISOString(),
      ...changes,
    };
    const response = await tester.request("sendEmail", { body, key });
    if (isSuccess(response)) await this.#cancel(response, key);
    return response;
  }

  async #cancel({ json }: Exchange, key: Role): Promise<void> {
    const { id, scheduled_at } = (json ?? {}) as { id?: unknown; scheduled_at?: unknown };
    const canceled = await this.#tester.request("cancelEmail", { path: { id: String(id) }, key });
    if (isSuccess(canceled)) this.canceled += 1;
    else (typeof scheduled_at === "string" ? this.left : this.sent).push(String(id));
  }

  /** Why nothing was probed. */
  #notChecked(needs: string): string {
    return this.sent.length > 0 ? "Not checked: the server sends scheduled messages at once." : needs;
  }
}

const needsRecipient = "Not checked: it needs a recipient; set simulatorDomain.";
const needsBoth = "Not checked: it needs simulatorDomain and a working domains.verified.";

const isRejectedWith = (response: Exchange, status: number): boolean =>
  response.status === status && errorOf(response)?.type === "send_rejected";

function accepted(response: Exchange, what: string): ProbeResult {
  if (isSuccess(response)) return ok(`${what.charAt(0).toLowerCase()}${what.slice(1)} is accepted`);
  const said = errorOf(response)?.message;
  return wrong(
    `${what} responds with ${responseText(response)}${said === undefined ? "" : `: ${String(said)}`}`,
  );
}

/** `ok`: as far as requests that send nothing can show. `wrong`: it is not what it should be. `unproven`: they cannot show it. */
export interface ProbeResult {
  state: "ok" | "wrong" | "unproven";
  /** What was found. */
  says: string;
}

export const ok = (says: string): ProbeResult => ({ state: "ok", says });

export const wrong = (says: string): ProbeResult => ({ state: "wrong", says });

export const unproven = (says: string): ProbeResult => ({ state: "unproven", says });

/** Whether a request about something of an account without a product was rejected because of the product. */
export function rejectedForProduct(
  exchange: Exchange,
  what: string,
  kind: "domain" | "contact" | "message",
): ProbeResult {
  const response = responseText(exchange);
  return response === "402 no_plan"
    ? unproven(`rejected with 402 no_plan; whether the account has this ${kind} cannot be checked`)
    : wrong(`${what} responds with ${response}, not 402 no_plan.`);
}

/** The status and error type of a response: `403 forbidden`. */
export const responseText = (exchange: Exchange): string =>
  [exchange.status, errorOf(exchange)?.type].filter((part) => part !== undefined).join(" ");
