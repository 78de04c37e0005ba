/** The objects of JSON lines, in order. A last line without its end is still being written: it is left out, not broken. */
export function jsonLines(text: string): Readonly<Record<string, unknown>>[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
