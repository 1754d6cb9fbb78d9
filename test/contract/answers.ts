import { type OperationId, operations } from "../../generated/operations.ts";
import { type Call, call, type Exchange } from "./call.ts";
import type { Trial } from "./check.ts";
import {
  type Answer,
  document,
  examplesOf,
  type Header,
  type OrReference,
  operationsOf,
  resolve,
} from "./document.ts";
import { settings } from "./settings.ts";
import { goodWays, wayTo } from "./ways.ts";

/** One named example of one answer of one operation. */
export interface AnswerExample {
  operation: OperationId;
  /** The status as the document has it: `202`, `2XX`. */
  key: string;
  /** The status to ask for: 200 stands for `2XX`. */
  status: number;
  example: string;
  value: unknown;
  /** The headers that the document gives the answer, by their names. */
  headers: Record<string, Header>;
}

/** Every named example of every answer, in the order of the document. */
const everyAnswer: AnswerExample[] = operationsOf(document).flatMap(({ id, operation }) =>
  Object.entries(operation.responses).flatMap(([key, reference]) => {
    const { headers = {}, content = {} } = resolve<Answer>(document, reference);
    return Object.entries(examplesOf(document, content["application/json"]?.examples)).map(
      ([example, value]) => ({
        operation: id as OperationId,
        key,
        status: Number(key.replace("XX", "00")),
        example,
        value,
        headers: headersOf(headers),
      }),
    );
  }),
);

/** Those that this profile can bring the server to give. */
export const documentedAnswers: AnswerExample[] = everyAnswer.filter(
  (answer) => settings.profile === "mock" || wayTo(answer) !== undefined,
);

function headersOf(headers: Record<string, OrReference<Header>>): Record<string, Header> {
  const pairs = Object.entries(headers).map(([name, header]) => [name, resolve<Header>(document, header)]);
  return Object.fromEntries(pairs) as Record<string, Header>;
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/** The answers of an operation to requests that succeed. */
export const successesOf = (operation: OperationId): AnswerExample[] =>
  documentedAnswers.filter((answer) => answer.operation === operation && isSuccess(answer));

/** Every answer that says that something failed. */
export const failures: AnswerExample[] = documentedAnswers.filter((answer) => !isSuccess(answer));

/** The failures whose example has that type of error. */
export const failuresOfType = (type: string): AnswerExample[] =>
  failures.filter(({ value }) => (value as { error?: { type?: unknown } } | null)?.error?.type === type);

/** A request that keeps to the document and should succeed. */
export const goodCall = async (operation: OperationId): Promise<Call> =>
  settings.profile === "mock" ? exampleCall(operation) : goodWays[operation]();

/** The first example of the body, the examples of the parameters in the path. */
function exampleCall(operation: OperationId): Call {
  const { method, path } = operations[operation];
  const placed = operationsOf(document).find(({ id }) => id === operation);
  const filled = (placed?.parameters ?? [])
    .filter((parameter) => parameter.in === "path")
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path as string,
    );
  return { method, path: filled, body: Object.values(placed?.bodies ?? {})[0] };
}

const asked = new Map<AnswerExample, Promise<Exchange>>();

/** Brings the server to give a certain answer: once, however many laws look at it. */
export function ask(answer: AnswerExample): Promise<Exchange> {
  const exchange = asked.get(answer) ?? (settings.profile === "mock" ? preferred(answer) : onTheWay(answer));
  asked.set(answer, exchange);
  return exchange;
}

/** Asks for a certain example (`Prefer`, RFC 7240). */
const preferred = ({ operation, status, example }: AnswerExample): Promise<Exchange> =>
  call({ ...exampleCall(operation), headers: { prefer: `code=${status}, example=${example}` } });

async function onTheWay(answer: AnswerExample): Promise<Exchange> {
  const way = wayTo(answer);
  if (way === undefined)
    throw new Error(`there is no way to ${answer.operation} ${answer.key} ${answer.example}`);
  return call(await way());
}

/**
 * A trial of a law for each of the answers.
 * @param about what of the answer is looked at, where a check looks at several things
 */
export const inEach = (
  answers: AnswerExample[],
  law: (exchange: Exchange, answer: AnswerExample) => void,
  about = "",
): Trial[] =>
  answers.map((answer) => ({
    title: `${answer.operation} ${answer.key} ${answer.example} ${about}`.trimEnd(),
    run: async () => law(await ask(answer), answer),
  }));
