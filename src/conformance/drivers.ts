import { evictionStrategyDefaultDriver, evictionStrategyValidationDriver } from './eviction-strategy.ts';
import type { VectorDriver } from './vectors.ts';

/** Every kind of vector that Drover knows, one driver each. */
export const VECTOR_DRIVERS: readonly VectorDriver[] = [
  evictionStrategyDefaultDriver,
  evictionStrategyValidationDriver,
];
