import { columnsOf, padEnd, printable, wrap } from './text.ts';

/** A column of a terminal table. `paint` styles the padded cell. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string;
  readonly paint?: (row: Row, text: string) => string;
}

/** The long text at the end of a row, wrapped into what is left of the width. */
export interface LastColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string;
  /** Width of the whole table; `undefined` never wraps. */
  readonly width?: number | undefined;
}

export interface Layout<Row> {
  readonly columns: readonly Column<Row>[];
  readonly last: LastColumn<Row>;
  readonly headers: boolean;
}

const GAP = '  ';
/** With less room than this for the long text it goes on lines of its own. */
const NARROWEST_LAST = 36;
const INDENT = '    ';

/**
 * Lines of an aligned table, as kubectl prints them: upper-case headers, two spaces between columns, no line ends in spaces.
 *
 * Promise: only the last column is ever wrapped, nothing is cut, so every name can be copied whole. No rows give no lines.
 */
export function tableLines<Row>(layout: Layout<Row>, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const { columns, last, headers } = layout;
  const cells = rows.map((row) => columns.map((column) => printable(column.cell(row))));
  const widths = columns.map((column, i) => widest(cells, i, headers ? column.header : ''));
  const left = widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const room = last.width === undefined ? Number.POSITIVE_INFINITY : last.width - left;
  const stacked = room < NARROWEST_LAST;

  const head = columns.map((column, i) => padEnd(column.header, widths[i] ?? 0)).join(GAP);
  const lines = headers ? [(stacked ? head : head + GAP + last.header).trimEnd()] : [];
  rows.forEach((row, index) => {
    const start = columns.map((column, i) => paintCell(column, row, cells[index]?.[i] ?? '', widths[i] ?? 0));
    const text = printable(last.cell(row));
    lines.push(...(stacked ? stack(start, text, last.width ?? 0) : beside(start, text, left, room)));
  });
  return lines;
}

function widest(cells: readonly (readonly string[])[], column: number, header: string): number {
  return cells.reduce((most, row) => Math.max(most, columnsOf(row[column] ?? '')), columnsOf(header));
}

function paintCell<Row>(column: Column<Row>, row: Row, cell: string, width: number): string {
  const padding = padEnd(cell, width).slice(cell.length);
  return (column.paint?.(row, cell) ?? cell) + padding;
}

function beside(start: readonly string[], text: string, left: number, room: number): string[] {
  const lines = room === Number.POSITIVE_INFINITY ? [text] : wrap(text, room);
  return lines.map((line, index) =>
    (index === 0 ? `${start.join(GAP)}${GAP}${line}` : `${' '.repeat(left)}${line}`).trimEnd(),
  );
}

function stack(start: readonly string[], text: string, width: number): string[] {
  const lines = text === '' ? [] : wrap(text, width - INDENT.length);
  return [start.join(GAP).trimEnd(), ...lines.map((line) => INDENT + line)];
}
