import { text } from '../parsers.ts';

/** The scenario that is played, as its argument. */
export const scenarioArgument = {
  kind: 'tuple',
  parameters: [
    {
      parse: text,
      placeholder: 'scenario.yaml',
      brief: 'The scenario; docs/reference/scenario.schema.json has its format',
    },
  ],
} as const;

/** The cluster to begin with. */
export const snapshotFlag = {
  kind: 'parsed',
  parse: text,
  optional: true,
  variadic: true,
  placeholder: 'file|dir|-',
  brief:
    'What `kubectl get -o yaml|json` wrote of the cluster to begin with, in place of the one in the file',
} as const;
