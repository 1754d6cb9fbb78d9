import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  openRecordingServer,
  type WireExchange,
} from "../../../contract/client-suite/service/recording-server.ts";
import { capitalized } from "../../../lib/text.ts";
import { exampleTime, startSandbox } from "../../../sandbox/index.ts";
import { root } from "../../../scripts/common/paths.ts";
import type { Language } from "../../../scripts/docs/samples/languages.ts";
import type { ExampleRequest } from "../../../scripts/document/requests.ts";
import { type Ended, execute, failureOf } from "../../clients/tools.ts";

/** How the samples of a language are compiled and run. The commands are shell lines in the folder with the samples. */
export interface Toolchain {
  /** The programs that the commands need. */
  needs: string[];
  /** The oldest versions of them. */
  versions?: Readonly<Record<string, string>>;
  /** The file of a sample, in the folder. */
  file: (name: string) => string;
  /** Runs once, before all samples. */
  prepare?: string;
  run: (name: string) => string;
}

/** An environment with the packages of requirements.txt, which is created once. */
export const environment = join(root, "node_modules/.cache/samples/python");
const requirements = join(import.meta.dirname, "requirements.txt");
const createEnvironment = `python3 -m venv --clear "${environment}" && "${environment}/bin/pip" install --quiet -r "${requirements}" && cp "${requirements}" "${environment}"`;

/** By the id of the language; a language without one is not run. */
export const toolchains: Readonly<Record<string, Toolchain>> = {
  curl: { needs: ["curl"], file: (name) => `${name}.sh`, run: (name) => `sh ${name}.sh` },
  typescript: {
    needs: [],
    file: (name) => `${name}.ts`,
    run: (name) => `"${process.execPath}" ${name}.ts`,
  },
  python: {
    needs: ["python3"],
    versions: { python3: "3.11" },
    file: (name) => `${name}.py`,
    prepare: `cmp -s "${requirements}" "${environment}/requirements.txt" || (${createEnvironment})`,
    run: (name) => `"${environment}/bin/python" ${name}.py`,
  },
  go: {
    needs: ["go"],
    file: (name) => `${name}/main.go`,
    prepare: 'go mod init samples && test -z "$(gofmt -l .)" && go build -o programs/ ./...',
    run: (name) => `programs/${name}`,
  },
  php: { needs: ["php", "php-curl"], file: (name) => `${name}.php`, run: (name) => `php ${name}.php` },
  ruby: { needs: ["ruby"], file: (name) => `${name}.rb`, run: (name) => `ruby ${name}.rb` },
  java: {
    needs: ["javac"],
    versions: { javac: "17" },
    file: (name) => `${capitalized(name)}.java`,
    prepare: "javac -d classes *.java",
    run: (name) => `java -cp classes ${capitalized(name)}`,
  },
};

/** How a sample ended, and what the sandbox received and sent. */
export interface Run extends Ended {
  exchanges: WireExchange[];
}

/** What to run. */
interface Batch {
  /** One of each operation. */
  requests: ExampleRequest[];
  /** A folder of their own. */
  folder: string;
  apiKey: string;
}

/** Compiles and runs the samples of requests by operationId, each in a sandbox whose demo accounts are as at the start. */
export async function runSamples(
  { write }: Language,
  toolchain: Toolchain,
  { requests, folder, apiKey }: Batch,
): Promise<Map<string, Run>> {
  const sandbox = await startSandbox({ clock: { frozen: true, startAt: Date.parse(exampleTime) } });
  const server = await openRecordingServer(sandbox.url);
  try {
    for (const request of requests) {
      const file = join(folder, toolchain.file(request.operationId));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, write(request, server.url) ?? "");
    }
    if (toolchain.prepare !== undefined) await prepare(toolchain.prepare, folder);
    const runs = new Map<string, Run>();
    for (const { operationId } of requests) {
      await sandbox.reset();
      // The sandbox is on this machine: a proxy could not reach it.
      const env = { EMAIL_API_KEY: apiKey, no_proxy: "*" };
      const ended = await execute(toolchain.run(operationId), folder, env);
      runs.set(operationId, { ...ended, exchanges: server.take() });
    }
    return runs;
  } finally {
    await server.close();
    await sandbox.close();
  }
}

async function prepare(line: string, folder: string): Promise<void> {
  const ended = await execute(line, folder);
  if (ended.code !== 0) throw new Error(failureOf(line, folder, ended));
}
