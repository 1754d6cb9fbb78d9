import { type Capabilities, type Driver, DriverError, type StartDriver } from "../driver/protocol.ts";
import { openRecordingServer, type RecordingServer } from "../service/recording-server.ts";

/** The service that a client is tested with. Its state is that of its start after each reset. */
export interface Service {
  baseUrl: string;
  key: string;
  /** The messages that were sent or scheduled: equal texts for equal messages. */
  messages(): Promise<string[]>;
  /** Advances its clock, in milliseconds; resolves when everything due has happened. */
  advance(milliseconds: number): Promise<void>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** A service and a driver that run one test case at a time. */
export class DriverSession {
  readonly service: Service;
  /** Shared by the sessions of a run. */
  readonly silentCalls: SilentCalls;
  readonly #start: StartDriver;
  /** What the client sends requests to, once its driver has been started. */
  server!: RecordingServer;
  capabilities!: Capabilities;
  #driver: Driver | undefined;

  constructor(service: Service, start: StartDriver, silentCalls = new SilentCalls()) {
    this.service = service;
    this.#start = start;
    this.silentCalls = silentCalls;
  }

  /** The driver, which is started first, and again if it has ended. @throws DriverError if it does not start */
  async driver(): Promise<Driver> {
    if (this.#driver?.isOpen === true) return this.#driver;
    // A request that the driver sent just before its end may arrive later: at a server that is closed.
    if (this.#driver !== undefined) await this.server.close();
    this.server = await openRecordingServer(this.service.baseUrl);
    this.#driver = await this.startDriver(this.server.url);
    this.capabilities = this.#driver.capabilities;
    return this.#driver;
  }

  /** Starts another driver, with another base URL. */
  async startDriver(baseUrl: string): Promise<Driver> {
    this.silentCalls.assertNotTooMany();
    try {
      return await this.#start({ baseUrl, key: this.service.key });
    } catch (error) {
      this.silentCalls.note(true);
      throw error;
    }
  }

  /** What the driver wrote since its last call. */
  takeOutput(): string {
    return this.#driver?.takeOutput() ?? "";
  }

  async reset(): Promise<void> {
    await this.service.reset();
    this.server.take();
  }

  async close(): Promise<void> {
    await this.#driver?.close();
    await Promise.all([this.server?.close(), this.service.close()]);
  }
}

/** A driver that does nothing in so many calls in a row, or does not start, does nothing in others either, and each takes 10 s or more. */
const maxCalls = 4;

/** Ends a run whose drivers do nothing. */
export class SilentCalls {
  #calls = 0;

  /** @param isSilent whether a call ended without a reply, because its driver did not start, sent no request or wrote no complete line */
  note(isSilent: boolean): void {
    if (this.#calls < maxCalls) this.#calls = isSilent ? this.#calls + 1 : 0;
  }

  /** @throws DriverError if the run has ended */
  assertNotTooMany(): void {
    if (this.#calls === maxCalls)
      throw new DriverError(
        `The run has ended early: in ${maxCalls} calls in a row, the driver did not start, sent no request or wrote no complete line.`,
      );
  }
}
