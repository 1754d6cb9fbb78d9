import { instance } from "@viz-js/viz";
import type { Lifecycle, Transition } from "../../../generated/schema-types.ts";
import { escapeHtml } from "../../../lib/html.ts";

/** A lifecycle as an SVG diagram (Graphviz) in the colors of the page, with a title and a text description. */
export async function lifecycleDiagram(name: string, lifecycle: Lifecycle): Promise<string> {
  const svg = (await instance()).renderString(dot(lifecycle), { format: "svg" });
  const accessible = svg
    .slice(svg.indexOf("<svg"))
    .replace(
      /width="(\d+)pt" height="(\d+)pt"/,
      `width="$1pt" role="img" aria-labelledby="${name}-title ${name}-description"`,
    )
    .replace(/<title>[^<]*<\/title>/g, "")
    .replace(
      ">",
      () =>
        `><title id="${name}-title">States of a ${name}</title><desc id="${name}-description">${escapeHtml(description(lifecycle))}</desc>`,
    )
    .replaceAll(/<!--[\s\S]*?-->\s*/g, "")
    .replaceAll(/ id="(graph|node|edge)\d+"/g, "")
    .replaceAll('"black"', '"currentColor"')
    .replaceAll(/\n+/g, "");
  // It scrolls sideways on a narrow screen; the tab index makes it reachable by keyboard.
  return `<figure class="lifecycle" tabindex="0" role="group" aria-label="Diagram of the states of a ${name}">${accessible}</figure>`;
}

const start = "(new)";
const unspecified = "unspecified";

/** The transitions that change the state, all those between the same two together. An unspecified target is a node of its own. */
function arrowsOf({ transitions }: Lifecycle) {
  const steps = transitions.flatMap((transition) => {
    const isUnspecified = transition["x-leaves-unspecified"] !== undefined;
    const to = transition.to ?? (isUnspecified ? unspecified : undefined);
    const label = labelOf(transition, transitions);
    return to === undefined ? [] : (transition.from ?? [start]).map((from) => ({ from, to, label }));
  });
  const arrows = [...Map.groupBy(steps, ({ from, to }) => `${from}\n${to}`).values()].flatMap((group) =>
    group.slice(0, 1).map(({ from, to }) => ({ from, to, labels: group.map(({ label }) => label) })),
  );
  // What no transition leads to comes after the unspecified state, if there is one.
  const reached = new Set([start, ...arrows.map(({ to }) => to)]);
  const unreached = new Set(arrows.map(({ from }) => from).filter((from) => !reached.has(from)));
  const last = reached.has(unspecified) ? [...unreached] : [];
  return [...arrows, ...last.map((to) => ({ from: unspecified, to, labels: [] }))];
}

/** The event, with its condition if the same event leads to several states. */
const labelOf = ({ on, when, from }: Transition, all: Transition[]): string => {
  const alternatives = all.filter((other) => other.on === on && String(other.from) === String(from));
  return alternatives.length === 1 || when === undefined
    ? on
    : `${on}: ${when.toLowerCase().replace(/\.$/, "")}`;
};

const nodeStyles: Record<string, string> = {
  [start]: "shape=point, width=0.12",
  [unspecified]: 'shape=box, style="rounded,dashed", label="status unspecified"',
};

/** Graphviz measures text in Arial; the fonts of the page have similar widths. */
const defaults =
  'bgcolor="transparent"; nodesep=0.4; ranksep=0.5; node [fontname="Arial", fontsize=11, height=0.4, margin="0.15,0.05"]; edge [fontname="Arial", fontsize=10, arrowsize=0.7]';

function dot(lifecycle: Lifecycle): string {
  const arrows = arrowsOf(lifecycle);
  const nodes = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].map(
    (state) => `${JSON.stringify(state)} [${nodeStyles[state] ?? "shape=box, style=rounded"}]`,
  );
  const loops = new Set(arrows.flatMap(({ from, to }) => (from === to ? [to] : [])));
  const edges = arrows.map(({ from, to, labels }) => {
    const style = [from, to].includes(unspecified) ? ", style=dashed" : "";
    // Keeps the arrow away from the loop at the side of its target.
    const port = loops.has(to) && from !== to ? ", headport=n" : "";
    return `${JSON.stringify(from)} -> ${JSON.stringify(to)} [label=${JSON.stringify(wrapLabels(labels))}${style}${port}]`;
  });
  return `digraph { ${[defaults, ...nodes, ...edges].join("; ")} }`;
}

/** Wraps labels after about 22 characters, with non-breaking spaces so that they do not touch the arrow. */
const wrapLabels = (labels: string[]): string =>
  labels
    .map((text) => text.replaceAll(/(.{14,22}?)\s/g, "$1\n"))
    .join("\nor ")
    .split("\n")
    .map((line) => `\u00a0\u00a0${line}\u00a0\u00a0`)
    .join("\n");

const description = (lifecycle: Lifecycle): string =>
  arrowsOf(lifecycle)
    .map(({ from, to, labels }) => `From ${from} to ${[to, labels.join("; ")].filter(Boolean).join(": ")}.`)
    .join(" ");
