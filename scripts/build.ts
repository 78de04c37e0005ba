import { buildProgram } from './bundle.ts';

/** `npm run build` */
await buildProgram('dist');
