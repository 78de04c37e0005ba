/** A scenario file: a small cluster in a few words, what is asked about it, and what must be answered. */
import { z } from 'zod';
import { behaviorFileSchema } from '../simulation/guests/behavior-schema.ts';
import { clusterSchema } from './cluster-schema.ts';
import { expectSchema } from './expect-schema.ts';
import { settingsSchema } from './settings-schema.ts';
import { timelineEntrySchema } from './timeline-schema.ts';

export type { ScenarioCluster, ScenarioNode } from './cluster-schema.ts';
export type { ScenarioVm } from './vm-schema.ts';

const askSchema = z.strictObject({
  ask: z.string().meta({
    description: "The question, as typed behind the program's name.",
    examples: ['plan drain n1'],
  }),
  expect: z
    .record(z.string(), z.string())
    .describe('Outcome of every VM that the answer is about, by its name.'),
  says: z.array(z.string()).optional().describe('Texts that the answer must have somewhere; absent: none.'),
});

export const scenarioSchema = z.strictObject({
  title: z.string().describe('What the scenario shows, in a few words.'),
  source: z
    .string()
    .optional()
    .meta({
      description: 'Where the case comes from; absent: not told.',
      examples: ['kubevirt/kubevirt#9585'],
    }),
  cluster: clusterSchema
    .default({ nodes: [], vms: [] })
    .describe('The cluster to begin with: described here, drawn, or read from a snapshot.'),
  asks: z.array(askSchema).default([]).describe('Questions to drover about the cluster, which take no time.'),
  settings: settingsSchema
    .default({})
    .describe('How the simulated world is, and when a run ends; absent: as in the recordings.'),
  guests: behaviorFileSchema
    .default([])
    .describe(
      'How guests behave: field by field, the first entry that picks a VM and says something counts; absent: as in the recordings.',
    ),
  timeline: z
    .array(timelineEntrySchema)
    .default([])
    .describe('What is done to the cluster, and when; absent: nothing.'),
  expect: expectSchema
    .optional()
    .describe('What must have come true in the end; absent: nothing is checked.'),
});

export type Scenario = z.infer<typeof scenarioSchema>;
