/** Where in a file something stands. Lines, columns, documents and items count from 1. */
export interface Place {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Of several YAML documents or JSON values; the first is not told. */
  readonly document?: number | undefined;
  /** Within a list. */
  readonly item?: number | undefined;
  /** Key of the list, where it is not `items`. */
  readonly list?: string | undefined;
  /** `Kind namespace/name`. */
  readonly object?: string | undefined;
}

/** `line 14, column 3, document 2, item 12 (VirtualMachineInstance shop/db-0)`, as far as known. */
export function describePlace(place: Place): string {
  const { line, column, document, item, list, object } = place;
  const parts = [
    line === undefined ? '' : `line ${line}`,
    column === undefined ? '' : `column ${column}`,
    (document ?? 1) === 1 ? '' : `document ${document}`,
    item === undefined ? '' : `${list === undefined ? '' : `${shown(list, 60)} `}item ${item}`,
  ].filter((part) => part !== '');
  const where = parts.join(', ');
  if (object === undefined) return where;
  return where === '' ? shown(object, 400) : `${where} (${shown(object, 400)})`;
}

/** Text of the input for one line of a terminal: nothing that steers it, and not longer than `most` characters. */
export function shown(text: string, most: number): string {
  const harmless = text.slice(0, most + 1).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd');
  return harmless.length > most ? `${harmless.slice(0, most)}…` : harmless;
}
