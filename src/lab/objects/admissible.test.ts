import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kubevirt/json.ts';
import { admissible, statusOf } from './admissible.ts';

describe('what a snapshot leaves out, and an API server or the scheduler asks for', () => {
  it.each<[string, Parameters<typeof admissible>[0], JsonObject, JsonObject]>([
    [
      'a pod has a container, with an image',
      'Pod',
      { spec: { nodeName: 'n1' } },
      { nodeName: 'n1', containers: [{ name: 'compute', image: 'lab' }] },
    ],
    [
      'what a container cannot be promised twice is limited to what it asks for',
      'Pod',
      {
        spec: {
          containers: [
            { image: 'v1', resources: { requests: { cpu: '1', 'hugepages-2Mi': '4Mi', 'a/b': '1' } } },
          ],
        },
      },
      {
        containers: [
          {
            image: 'v1',
            resources: {
              requests: { cpu: '1', 'hugepages-2Mi': '4Mi', 'a/b': '1' },
              limits: { 'hugepages-2Mi': '4Mi', 'a/b': '1' },
            },
          },
        ],
      },
    ],
    [
      'what belongs to another cluster stays behind: priority classes, users, sources of volumes but claims',
      'Pod',
      {
        spec: {
          priority: 7,
          priorityClassName: 'high',
          securityContext: { runAsUser: 1 },
          containers: [],
          volumes: [
            { name: 'ca', configMap: { name: 'ca' } },
            { name: 'disk', persistentVolumeClaim: { claimName: 'db' } },
          ],
        },
      },
      {
        containers: [],
        volumes: [
          { name: 'ca', emptyDir: {} },
          { name: 'disk', persistentVolumeClaim: { claimName: 'db' } },
        ],
      },
    ],
    [
      'a claim names its volume',
      'PersistentVolumeClaim',
      { metadata: { name: 'disk', namespace: 'shop' } },
      {
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: '1Gi' } },
        volumeName: 'lab-shop-disk',
      },
    ],
    [
      'a claim keeps the volume and the modes that it has',
      'PersistentVolumeClaim',
      { metadata: { name: 'disk' }, spec: { volumeName: 'pv-7', accessModes: ['ReadWriteOnce'] } },
      {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeName: 'pv-7',
      },
    ],
  ])('%s', (_, kind, object, spec) => {
    expect(admissible(kind, object).spec).toEqual(spec);
  });

  it('a node has all that the scheduler asks for, and keeps what it has', () => {
    const status = { allocatable: { pods: '110', memory: '8Gi' } };
    expect(admissible('Node', { status }).status).toMatchObject({
      allocatable: { pods: '110', memory: '8Gi', 'ephemeral-storage': '1Ti' },
      capacity: { pods: '110', memory: '8Gi' },
    });
  });
});

describe('the containers of a pod', () => {
  const pod = {
    metadata: { name: 'p', namespace: 'shop' },
    spec: { containers: [{ name: 'compute', image: 'v1' }] },
  };
  const told = (status: JsonObject) => statusOf('Pod', pod, status).containerStatuses;

  it('are ready while it runs, and have ended with it', () => {
    expect(told({ phase: 'Running' })).toMatchObject([{ name: 'compute', ready: true }]);
    expect(told({ phase: 'Failed' })).toMatchObject([{ name: 'compute', ready: false }]);
    expect(told({ phase: 'Pending' })).toBeUndefined();
  });
});
