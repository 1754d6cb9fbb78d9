/** Metrics as Prometheus reads them. */
export interface ParsedMetrics {
  text: string;
  /** The value of the sample with exactly these labels; undefined if there is none. */
  sample(name: string, labels?: Record<string, string>): number | undefined;
}

const samplePattern = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

const keyOf = (name: string, labels: Record<string, string>): string =>
  JSON.stringify([name, Object.entries(labels).sort()]);

/** Parses the text format of Prometheus. Throws if a line is not valid, a sample occurs twice, or its metric has no type. */
export function parseMetrics(text: string): ParsedMetrics {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const types = new Set<string>();
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line.startsWith("# TYPE ")) types.add(line.split(" ")[2] ?? "");
    if (line === "" || line.startsWith("# ")) continue;
    const [, name = "", labels = "", value = ""] = samplePattern.exec(line) ?? [];
    const family = name.replace(/_(bucket|sum|count)$/, "");
    if (!types.has(name) && !types.has(family)) throw new Error(`no type before the line ${line}`);
    if (labels.replaceAll(labelPattern, "") !== "") throw new Error(`invalid labels: ${line}`);
    const key = keyOf(name, Object.fromEntries([...labels.matchAll(labelPattern)].map((m) => m.slice(1, 3))));
    const number = value === "Nan" || value === "NaN" ? Number.NaN : Number(value);
    if (samples.has(key)) throw new Error(`twice: ${line}`);
    samples.set(key, number);
  }
  return { text, sample: (name, labels = {}) => samples.get(keyOf(name, labels)) };
}
