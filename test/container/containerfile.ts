import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/common/paths.ts";

const text = readFileSync(join(root, "Containerfile"), "utf8").replaceAll(/\\\n/g, "");

/** The value of an instruction of the last stage, such as `ENTRYPOINT`. */
function instruction(name: string): string {
  const stage = text.slice(text.lastIndexOf("\nFROM "));
  const [, value] = new RegExp(`^${name} +(.+)$`, "m").exec(stage) ?? [];
  if (value === undefined) throw new Error(`the Containerfile has no ${name}`);
  return value;
}

const list = (value: string): string[] => JSON.parse(value.slice(value.indexOf("[")));

/** What the Containerfile says of the container. */
export const container = {
  entrypoint: list(instruction("ENTRYPOINT")),
  command: list(instruction("CMD")),
  healthCheck: list(instruction("HEALTHCHECK")),
  port: Number(instruction("EXPOSE")),
  user: instruction("USER"),
  healthUrl: /HEALTH_URL=(\S+)/.exec(instruction("ENV"))?.[1] ?? "",
  /** The folder of programs that the command is linked into. */
  links: /ln -s \S+\/email-api-contract (\S+)/.exec(text)?.[1] ?? "",
  /** The images that the stages are based on. */
  bases: [...text.matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image),
  /** The command that installs the dependencies and the package in the folder /app. */
  install: /^WORKDIR \/app\nRUN (.+)/m.exec(text)?.[1] ?? "",
};
