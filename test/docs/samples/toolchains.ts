import { join } from "node:path";
import { root } from "../../../scripts/common/paths.ts";
import { className } from "../../../scripts/docs/samples/languages.ts";

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
    file: (name) => `${className(name)}.java`,
    prepare: "javac -d classes *.java",
    run: (name) => `java -cp classes ${className(name)}`,
  },
};
