import { advances, failures, type Scenario, type TryData } from "./types.ts";

/** The most that a link may have: it may come from anybody. */
const bounds = { code: 20_000, text: 200_000, steps: 50, value: 2_000, years: 10 };

const yearLength = 366 * 24 * 60 * 60 * 1000;

/** The scenario for the fragment of a URL. */
export async function writeScenario(scenario: Scenario): Promise<string> {
  const packed = new Blob([JSON.stringify(scenario)])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @returns undefined for what is not a scenario of these operations and keys, or is too large */
export async function readScenario(code: string, data: TryData): Promise<Scenario | undefined> {
  if (code.length > bounds.code) return undefined;
  try {
    const base64 = code.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return parseScenario(await inflate(bytes), data, bounds.steps);
  } catch {
    return undefined;
  }
}

/** @returns undefined for JSON that is not a scenario. @throws SyntaxError for what is not JSON */
function parseScenario(text: string, data: TryData, mostSteps: number): Scenario | undefined {
  const value: unknown = JSON.parse(text);
  return isScenario(value, data, mostSteps) ? value : undefined;
}

/** A small code can be a large text: reading ends at the bound. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length > bounds.text) throw new Error("the scenario is too large");
  }
}

function isScenario(value: unknown, data: TryData, mostSteps: number): value is Scenario {
  if (!isObject(value) || !isWhole(value.start) || value.start > Date.UTC(2100, 0)) return false;
  const { steps } = value;
  if (!Array.isArray(steps) || steps.length > mostSteps) return false;
  let last = 0;
  return steps.every((step: unknown) => {
    if (!isObject(step) || !isWhole(step.at) || step.at < last || step.at > bounds.years * yearLength)
      return false;
    last = step.at;
    return isStep(step, data);
  });
}

function isStep(step: Record<string, unknown>, data: TryData): boolean {
  if (step.do === "send") return isSending(step, data);
  if (step.do === "advance") return advances.some(([by]) => by === step.by);
  if (step.do === "fail")
    return (
      failures.some(([name]) => name === step.failure) &&
      isWhole(step.requests) &&
      step.requests > 0 &&
      step.requests < 100
    );
  if (step.do === "clear failures") return true;
  return step.do === "confirm" && isText(step.email) && isWhole(step.list);
}

function isSending(step: Record<string, unknown>, { operations, keys }: TryData): boolean {
  const operation = operations.find(({ id }) => id === step.operation);
  const { parameters, body } = step;
  return (
    operation !== undefined &&
    (step.key === null || keys.some(({ id }) => id === step.key)) &&
    isText(step.idempotencyKey) &&
    (body === null || typeof body === "string") &&
    isObject(parameters) &&
    Object.entries(parameters).every(
      ([name, text]) => isText(text) && operation.parameters.some((one) => one.name === name),
    )
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= bounds.value;

const name = "try-scenario";

/** The most steps that the next page does again. */
const mostSteps = 200;

/** What was done on earlier pages of this tab. */
export function savedScenario(data: TryData): Scenario | undefined {
  try {
    return parseScenario(sessionStorage.getItem(name) ?? "", data, mostSteps);
  } catch {
    return undefined;
  }
}

/** Keeps a scenario for the next page in this tab. If the browser disables storage, that starts anew. */
export function save(scenario: Scenario): void {
  try {
    if (scenario.steps.length === 0 || scenario.steps.length > mostSteps) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(scenario));
  } catch {
    // Too large, or disabled.
  }
}
