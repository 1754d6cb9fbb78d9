import { instance } from "@viz-js/viz";
import type { Lifecycle } from "../../document.ts";

/**
 * The lifecycle drawn as SVG (Graphviz), in the colours of the text around it. For those who do not see it, it has a
 * title and a description; the table below says the same.
 */
export async function diagram(name: string, lifecycle: Lifecycle): Promise<string> {
  const viz = await instance();
  const svg = viz.renderString(dot(lifecycle), { format: "svg" });
  const drawn = svg
    .slice(svg.indexOf("<svg"))
    .replace(
      /width="[^"]*" height="([^"]*)pt"/,
      `role="img" aria-labelledby="${name}-title ${name}-description" class="lifecycle"`,
    )
    .replace(/<title>[^<]*<\/title>/g, "")
    .replace(
      ">",
      `><title id="${name}-title">The states of a ${name}</title><desc id="${name}-description">${description(lifecycle)}</desc>`,
    )
    .replaceAll(/<!--[\s\S]*?-->\s*/g, "")
    .replaceAll('"black"', '"currentColor"')
    .replaceAll(/\n+/g, "");
  return `<figure class="lifecycle">${drawn}</figure>`;
}

const arrows = ({ transitions }: Lifecycle): { from: string; to: string; label: string }[] =>
  transitions.flatMap(({ from, to, on }) =>
    to === null ? [] : (from ?? ["(new)"]).map((state) => ({ from: state, to, label: on })),
  );

const quoted = (text: string): string => JSON.stringify(text);

function dot(lifecycle: Lifecycle): string {
  const states = new Set(arrows(lifecycle).flatMap(({ from, to }) => [from, to]));
  const nodes = [...states].map((state) =>
    state === "(new)"
      ? `${quoted(state)} [shape=point, width=0.12]`
      : `${quoted(state)} [shape=box, style=rounded]`,
  );
  const edges = grouped(lifecycle).map(
    ({ from, to, labels }) =>
      `${quoted(from)} -> ${quoted(to)} [label=${quoted(labels.map(broken).join("\n"))}]`,
  );
  return `digraph { bgcolor="transparent"; rankdir=TB; nodesep=0.5; ranksep=0.6; node [fontname="sans-serif", fontsize=12, margin="0.16,0.06"]; edge [fontname="sans-serif", fontsize=10, arrowsize=0.7]; ${[...nodes, ...edges].join("; ")} }`;
}

function grouped(lifecycle: Lifecycle): { from: string; to: string; labels: string[] }[] {
  const groups = Map.groupBy(arrows(lifecycle), ({ from, to }) => `${from}\n${to}`);
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    return first === undefined
      ? []
      : [{ from: first.from, to: first.to, labels: rows.map(({ label }) => label) }];
  });
}

/** A label in lines of some 22 characters. */
const broken = (text: string): string => text.replaceAll(/(.{14,22}?)\s/g, "$1\n");

const description = (lifecycle: Lifecycle): string =>
  grouped(lifecycle)
    .map(({ from, to, labels }) => `From ${from} to ${to}: ${labels.join("; ")}.`)
    .join(" ");
