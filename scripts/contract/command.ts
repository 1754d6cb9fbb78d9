import { type Command, Help, Option } from "commander";
import { defaultSequences, type Omissible, omissible, profiles } from "../../contract/engine/settings.ts";
import { usageError } from "../../lib/user-error.ts";
import { isPackaged } from "../common/paths.ts";
import { action, wholeNumber } from "../common/program.ts";
import { addBaselineOptions, addPublishOptions, addReportOptions, grepOption } from "./options.ts";

// The mock needs a clone of the project.
const target = new Option("--target <name>", "start this server and test it (default: sandbox)").choices(
  isPackaged ? ["sandbox"] : ["sandbox", "mock"],
);
const profile = new Option(
  "--profile <name>",
  "which checks to run (default: core; full for the sandbox)",
).choices(profiles);
const without = new Option(
  "--without <names...>",
  "exclude checks with these tags (slow, burst, clock), or that need these settings, such as mailbox or hooks.failNext (replaces the list of the configuration)",
).argParser((name: string, before: Omissible[] = []) => {
  const known = omissible.find((one) => one === name);
  if (known !== undefined) return [...before, known];
  throw usageError(
    `--without has ${JSON.stringify(name)}, which cannot be left out`,
    `A run can leave out ${omissible.join(", ")}.`,
  );
});

function sequenceOption(name: "sequences" | "seconds" | "seed", description: string): Option {
  const [usual, model] = (["full", "model"] as const).map((profile) => defaultSequences({ profile })[name]);
  // The other profiles have selected sequences.
  const ofOthers = name === "sequences" ? `selected ones, or ${usual} with --seed` : usual;
  const ofModel = model === usual ? "" : `; profile model: ${model}`;
  const option = new Option(`--${name} <number>`, `${description} (default: ${ofOthers}${ofModel})`);
  return option.argParser(wholeNumber(`--${name}`));
}

const keys = `
API keys come from environment variables: CONTRACT_API_KEY for most requests,
CONTRACT_KEY_SEND_ONLY and so on for others; the configuration can name others.

Exit codes: 0 every requirement passes, 1 a requirement fails or ends in an
error (such as a request without a response), or an expected failure passes or
has expired, 2 usage or set-up error, or no server responds, 3 no requirement
fails but some are not verified, 70 internal error. With --baseline: 0 there is
no new failure, 1 there is, 3 a requirement is no longer verified.`;

/** Adds the command `contract`, with `contract init` and `contract doctor`. */
export function addContractCommand(command: Command): void {
  const contract = command
    .command("contract")
    .description("test a server against every requirement of the contract")
    .option("--base-url <url>", "the server to test")
    .option("--config <file>", "its fixtures and keys (YAML, JSON or a module)")
    .addOption(target)
    .addOption(profile)
    .addOption(grepOption("SEND-9"))
    .addOption(without)
    .addOption(sequenceOption("sequences", "random sequences per product, and as many with clock moves"))
    .addOption(
      sequenceOption(
        "seconds",
        "seconds in all for random sequences; repeating and shortening a failing one may take as long again",
      ),
    )
    .addOption(sequenceOption("seed", "seed of the first sequence"))
    .option("--wait <seconds>", "wait so long for a server that does not respond yet", wholeNumber("--wait"))
    .option("--watch", "run again when the server has restarted or a key is pressed, until q or Ctrl+C")
    .option("--dry-run", "list the checks and the number of requests, and run none");
  addPublishOptions(addReportOptions(addBaselineOptions(contract)))
    .addHelpText("after", keys)
    .action(action(async () => (await import("./run-command.ts")).runContractCommand));
  addSetUp(contract);
}

function addSetUp(contract: Command): void {
  const init = contract
    .command("init")
    .description("write a configuration with what the server reports")
    .option("--output <file>", "the file to write", "contract.config.yaml")
    .option("--force", "replace an existing file")
    .action(action(async () => (await import("./init.ts")).runInit));
  const doctor = contract
    .command("doctor")
    .description("check the configuration and call its hooks, and print what a run sends")
    .option("--reset", "call the hook reset too")
    .addHelpText("after", "\nExit codes: 0 no setting is wrong, 2 one is, or a usage or set-up error.")
    .action(action(async () => (await import("./doctor.ts")).runDoctor));
  inherit(init, contract, ["--base-url", "--profile", "--wait"]);
  inherit(doctor, contract, ["--base-url", "--config", "--profile", "--without", "--wait"]);
}

/** Gives a command some options of its parent, which its help lists too. The others are usage errors. */
function inherit(command: Command, parent: Command, names: readonly string[]): void {
  const shared = parent.options.filter(({ long }) => names.includes(long ?? ""));
  const others = parent.options.filter((one) => !shared.includes(one));
  const help = new Help();
  command
    .configureHelp({
      ...command.configureHelp(),
      visibleOptions: (shown) => [...shared, ...help.visibleOptions(shown)],
    })
    .hook("preAction", () => {
      const given = others.find((one) => parent.getOptionValueSource(one.attributeName()) !== undefined);
      if (given !== undefined) command.error(`unknown option '${given.long}'`);
    });
}
