import { instance } from "@viz-js/viz";
import type { Lifecycle, Transition } from "../../document/types.ts";
import { escaped } from "../markdown.ts";

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
      /width="(\d+)pt" height="(\d+)pt"/,
      `width="$1pt" role="img" aria-labelledby="${name}-title ${name}-description"`,
    )
    .replace(/<title>[^<]*<\/title>/g, "")
    .replace(
      ">",
      () =>
        `><title id="${name}-title">The states of a ${name}</title><desc id="${name}-description">${escaped(description(lifecycle))}</desc>`,
    )
    .replaceAll(/<!--[\s\S]*?-->\s*/g, "")
    .replaceAll(/ id="(graph|node|edge)\d+"/g, "")
    .replaceAll('"black"', '"currentColor"')
    .replaceAll(/\n+/g, "");
  // On a narrow screen it is moved sideways, by whoever has a keyboard too.
  return `<figure class="lifecycle" tabindex="0" role="group" aria-label="The states of a ${name}, drawn">${drawn}</figure>`;
}

interface Arrow {
  from: string;
  to: string;
  label: string;
}

const start = "(new)";
const open = "not specified";

/** What changes the state. What ends in a state that is left open leads to a box of its own. */
const arrows = ({ transitions }: Lifecycle): Arrow[] =>
  transitions.flatMap((transition) => {
    const to = transition.to ?? (transition["x-leaves-unspecified"] === undefined ? undefined : open);
    if (to === undefined) return [];
    return (transition.from ?? [start]).map((from) => ({
      from,
      to,
      label: labelOf(transition, transitions),
    }));
  });

/** What happens, with its condition where that alone decides which state follows. */
const labelOf = ({ on, when, from }: Transition, all: Transition[]): string => {
  const alike = all.filter((other) => other.on === on && String(other.from) === String(from));
  return alike.length === 1 || when === undefined ? on : `${on}: ${when.toLowerCase().replace(/\.$/, "")}`;
};

const quoted = (text: string): string => JSON.stringify(text);

const looks: Record<string, string> = {
  [start]: "shape=point, width=0.12",
  [open]: 'shape=box, style="rounded,dashed"',
};

function dot(lifecycle: Lifecycle): string {
  const states = new Set(arrows(lifecycle).flatMap(({ from, to }) => [from, to]));
  const nodes = [...states].map(
    (state) => `${quoted(state)} [${looks[state] ?? "shape=box, style=rounded"}]`,
  );
  const drawn = grouped(lifecycle);
  const circling = new Set(drawn.flatMap(({ from, to }) => (from === to ? [to] : [])));
  const edges = drawn.map(({ from, to, labels }) => {
    const style = to === open ? ", style=dashed" : "";
    // Away from the arrow that leads from the state to itself, and is drawn at its side.
    const port = circling.has(to) && from !== to ? ", headport=n" : "";
    return `${quoted(from)} -> ${quoted(to)} [label=${quoted(lines(labels))}${style}${port}]`;
  });
  const defaults = `bgcolor="transparent"; nodesep=0.4; ranksep=0.5; node [${font}, fontsize=11, height=0.4, margin="0.15,0.05"]; edge [${font}, fontsize=10, arrowsize=0.7]`;
  return `digraph { ${[defaults, ...nodes, ...edges, ...below(lifecycle)].join("; ")} }`;
}

/** Puts what begins after a gap below the gap, so that the drawing becomes no wider than a page. */
function below(lifecycle: Lifecycle): string[] {
  const all = arrows(lifecycle);
  if (!all.some(({ to }) => to === open)) return [];
  const reached = new Set([start, ...all.map(({ to }) => to)]);
  const begins = new Set(all.flatMap(({ from }) => (reached.has(from) ? [] : [from])));
  return [...begins].map((state) => `${quoted(open)} -> ${quoted(state)} [style=invis]`);
}

/** Graphviz measures Arial; what the page shows in its place is about as wide. */
const font = 'fontname="Arial"';

/** Arrows between the same two states as one, with all their labels. */
function grouped(lifecycle: Lifecycle): (Omit<Arrow, "label"> & { labels: string[] })[] {
  const groups = Map.groupBy(arrows(lifecycle), ({ from, to }) => `${from}\n${to}`);
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    return first === undefined
      ? []
      : [{ from: first.from, to: first.to, labels: rows.map(({ label }) => label) }];
  });
}

/** Labels in lines of some 22 characters, with room at both sides so that they touch no arrow. */
const lines = (labels: string[]): string =>
  labels
    .map((text) => text.replaceAll(/(.{14,22}?)\s/g, "$1\n"))
    .join("\nor ")
    .split("\n")
    .map((line) => `\u00a0\u00a0${line}\u00a0\u00a0`)
    .join("\n");

const description = (lifecycle: Lifecycle): string =>
  grouped(lifecycle)
    .map(({ from, to, labels }) => `From ${from} to ${to}: ${labels.join("; ")}.`)
    .join(" ");
