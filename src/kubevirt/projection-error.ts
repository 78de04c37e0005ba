import type { z } from 'zod';

/** One field that is not as its schema wants it. */
export interface FieldProblem {
  /** `status.conditions[2].status`, `metadata.labels["a/b"]`; empty for the object itself. */
  readonly path: string;
  /** `expected string, received number`. */
  readonly problem: string;
}

/** An object that its schema refuses. The message names the first wrong field. */
export class ProjectionError extends Error {
  override readonly name = 'ProjectionError';
  readonly problems: readonly FieldProblem[];

  constructor(problems: readonly FieldProblem[]) {
    super(problems.map(({ path, problem }) => (path ? `${path}: ${problem}` : problem)).at(0));
    this.problems = problems;
  }
}

/** What the schema has against an object, field by field, in the order of the schema. */
export function problemsOf(error: z.ZodError, raw: unknown): FieldProblem[] {
  return error.issues.map((issue) => ({
    path: formatPath(issue.path),
    problem: wordsOf(issue, valueAt(raw, issue.path)),
  }));
}

/** A copy without nulls, as Go's decoder would see it. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** The same in words, for a file that a person writes: `nodes[0].cpu: expected string, received number; it: …`. */
export function problemText(error: z.ZodError, raw: unknown): string {
  return problemsOf(error, raw)
    .map(({ path, problem }) => `${path || 'it'}: ${problem}`)
    .join('; ');
}

type Issue = z.core.$ZodIssue;

function wordsOf(issue: Issue, value: unknown): string {
  const expected = expectedBy(issue);
  if (expected.length === 0) return issue.message;
  const received = typeOf(value);
  return received === 'nothing'
    ? `expected ${expected.join(' or ')}, but it is missing`
    : `expected ${expected.join(' or ')}, received ${received}`;
}

function expectedBy(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [issue.expected === 'record' ? 'object' : issue.expected];
  if (issue.code === 'invalid_union')
    return issue.errors.flat().flatMap((inner) => expectedBy(inner as Issue));
  return [];
}

function typeOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** A path as a person writes it: dots where a key is a word, brackets elsewhere. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.map((key, i) => formatKey(key, i === 0)).join('');
}

function formatKey(key: PropertyKey, first: boolean): string {
  if (typeof key === 'number') return `[${key}]`;
  const text = String(key);
  if (!/^[A-Za-z_]\w*$/.test(text)) return `[${JSON.stringify(text)}]`;
  return first ? text : `.${text}`;
}
