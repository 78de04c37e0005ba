const SUFFIX: Record<string, number> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity as it stands in JSON: usually a string (`4Gi`, `500m`, `1e3`), sometimes a bare number. */
export type Quantity = string | number;

/**
 * The value of a quantity in its base unit (cores, bytes, pieces).
 *
 * Promise: what Kubernetes' quantity grammar refuses gives `undefined`; never a guess.
 */
export function parseQuantity(quantity: Quantity | undefined): number | undefined {
  if (quantity === undefined) return undefined;
  if (typeof quantity === 'number') return quantity;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/.exec(quantity);
  if (!match) return undefined;
  const [, digits, exponent, suffix] = match;
  return exponent ? Number(`${digits}${exponent}`) : Number(digits) * (SUFFIX[suffix ?? ''] ?? 1);
}

/** Whether two quantities are of one value, however they are written; two that are none are the same. */
export function isSameQuantity(a: Quantity | undefined, b: Quantity | undefined): boolean {
  return a === b || parseQuantity(a) === parseQuantity(b);
}

const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** Whole bytes as Kubernetes writes them: by the largest binary unit that leaves no rest (`268Mi`, `1025`, `0`). */
export function formatBytes(bytes: number): string {
  const fits = (power: number) => bytes % 1024 ** power === 0;
  const power = BINARY_SUFFIXES.findLastIndex((_, index) => bytes !== 0 && fits(index));
  return power <= 0 ? String(bytes) : `${bytes / 1024 ** power}${BINARY_SUFFIXES[power]}`;
}
