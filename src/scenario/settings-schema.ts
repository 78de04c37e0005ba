/** How the simulated world is; what is absent is as in the recordings of the real one. */
import { z } from 'zod';
import { duration } from './words.ts';

export const settingsSchema = z.strictObject({
  seed: z
    .int()
    .optional()
    .describe('What chance is drawn from, the same each time; absent: 1, unless the command line says.'),
  behavior: z
    .enum(['exact', 'intended'])
    .optional()
    .describe('KubeVirt with its known defects (exact) or without them (intended); absent: exact.'),
  until: duration
    .optional()
    .describe(
      'When to stop at the latest; absent: 1h after the last action. It stops before, as soon as nothing goes on any more.',
    ),
  launcherImage: z
    .string()
    .optional()
    .describe(
      'Image that virt-controller starts launchers with at first; absent: the one that most VMIs run.',
    ),
  podStart: duration.optional().describe('How long a pod takes to start; absent: 1s at most.'),
  boot: duration.optional().describe('How long a guest boots where guests say nothing; absent: 1s.'),
  migration: duration
    .optional()
    .describe('How long a copy of memory takes where guests say nothing; absent: 3s.'),
  reboot: duration.optional().describe('How long a node is down that boots anew; absent: 1m.'),
  nicMbps: z
    .number()
    .positive()
    .optional()
    .describe("Speed of each node's network card in Mbit/s; absent: 10000."),
  rackUplinkMbps: z
    .number()
    .positive()
    .optional()
    .describe("Speed of each rack's uplink in Mbit/s; absent: as fast as anybody needs."),
  external: z
    .enum(['none', 'capk-v0.1.10', 'capk-backport'])
    .optional()
    .describe(
      'Who takes VMs with the strategy External away, with the rest of Cluster API; absent: none, nobody does.',
    ),
});
