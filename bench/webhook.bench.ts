import type { Bench } from './measure.ts';
import { benchWebhook } from './webhook.ts';

export const bench: Bench = { name: 'webhook', run: benchWebhook };
