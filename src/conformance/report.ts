import type { Difference } from './compare.ts';
import type { FileResult, VectorResult } from './vectors.ts';

const DIFFERENCES_SHOWN = 3;

/** What the runs of one folder say, and whether anything differs. */
export interface Report {
  readonly lines: readonly string[];
  readonly failed: boolean;
}

/**
 * `NAME: N agree, M differ` for each file, then the first 3 that differ, in full.
 *
 * Promise: it fails when anything differs, and when there was nothing to run: a run over nothing proves nothing.
 */
export function reportOf(folder: string, results: readonly FileResult[]): Report {
  if (results.length === 0) return { lines: [`${folder}: no files to run`], failed: true };
  return {
    lines: results.flatMap(fileLines),
    failed: results.some(({ differing }) => differing.length > 0),
  };
}

function fileLines({ name, agree, differing }: FileResult): string[] {
  const shown = differing.slice(0, DIFFERENCES_SHOWN).flatMap(differingLines);
  return [`${name}: ${agree} agree, ${differing.length} differ`, ...shown];
}

function differingLines({ id, differences }: VectorResult): string[] {
  return [`  ${id}`, ...differences.flatMap(differenceLines)];
}

function differenceLines({ path, real, ours }: Difference): string[] {
  return [`    ${path || '(whole)'}`, `      real: ${inFull(real)}`, `      ours: ${inFull(ours)}`];
}

function inFull(value: unknown): string {
  return typeof value === 'string' && value.includes('\n') ? value : (JSON.stringify(value) ?? 'absent');
}
