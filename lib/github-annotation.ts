/** Where an annotation of GitHub Actions is shown, and its title. */
export interface AnnotationProperties {
  title: string;
  file?: string;
  /** From 1. */
  line?: number;
  /** From 1. */
  col?: number;
}

/** A workflow command of GitHub Actions that shows a text beside a run or a file: one line, whatever the texts contain. */
export function githubAnnotation(
  level: "error" | "warning" | "notice",
  { title, ...place }: AnnotationProperties,
  text: string,
): string {
  const properties = Object.entries({ ...place, title }).map(
    ([name, value]) => `${name}=${escapedProperty(String(value))}`,
  );
  return `::${level} ${properties.join(",")}::${escapedData(text)}`;
}

const escapedData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
