import { openSandbox } from "./open.ts";
import type { RemoteOptions, RemoteSandbox } from "./remote/types.ts";
import type { Sandbox } from "./sandbox.ts";
import type { SandboxOptions } from "./services.ts";

/** The time at which the examples of the document are valid: `clock: { startAt: Date.parse(exampleTime) }`. */
export { exampleTime } from "../generated/examples.ts";
export type { HandledRequest } from "./api/context.ts";
export type { Message } from "./domain/records.ts";
export type { RemoteMessage, RemoteOptions, RemoteSandbox } from "./remote/types.ts";
/** @public */
export type { Outbox, Sandbox } from "./sandbox.ts";
export type { Seed } from "./seed/seed.ts";
export type { SandboxOptions } from "./services.ts";

/** The options of both: of a workspace, and without `at` of a sandbox. */
type PlaceOptions = Omit<RemoteOptions, "at"> & { at: string | undefined };

/**
 * Starts a sandbox of the service.
 *
 * @throws UserError when the seed, a host name, the data folder, the outbox folder or the URL of the SMTP server is invalid; Node's error
 * when the port cannot be opened
 */
export function startSandbox(options?: SandboxOptions): Promise<Sandbox>;
/**
 * Creates a workspace of a running sandbox, which may be on another machine.
 *
 * @throws UserError if the sandbox cannot be reached or rejects it
 */
export function startSandbox(options: RemoteOptions): Promise<RemoteSandbox>;
/** Creates a workspace of a running sandbox, or without its URL starts a sandbox: `at: process.env.SANDBOX_URL`. */
export function startSandbox(options: PlaceOptions): Promise<Sandbox | RemoteSandbox>;
export async function startSandbox(
  given?: SandboxOptions | RemoteOptions | PlaceOptions,
): Promise<Sandbox | RemoteSandbox> {
  // JavaScript may pass null.
  const options = given ?? {};
  if (!("at" in options) || options.at === undefined) return openSandbox(options as SandboxOptions);
  return (await import("./remote/open.ts")).openRemote(options as RemoteOptions);
}
