/**
 * Bounds of what one object may be. etcd takes requests of 1.5 MiB, so that no real object comes near; a file beyond
 * them is broken or made to exhaust memory.
 */
export const LIMITS = {
  /** One object as text, indentation included. */
  objectBytes: 16 * 1024 * 1024,

  /** One text within an object. */
  textChars: 1024 * 1024,
  nesting: 256,
  /** Values within one object, aliases counted as often as they are used. */
  values: 500_000,
  /** A YAML document that is no list of items at the start of lines has to be read as a whole. */
  documentBytes: 64 * 1024 * 1024,
  aliases: 1_000,
} as const;

/** `16 MiB`. */
export function mebibytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}
