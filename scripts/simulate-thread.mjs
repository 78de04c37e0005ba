/** The thread of `drover simulate` where Drover runs from its source: threads do not inherit what reads TypeScript. */
import { register } from 'tsx/esm/api';

register();
await import('../src/main/simulate-thread.ts');
