import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../../kubevirt/builders.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { isShownNews } from './launcher-writes.ts';

const pod = aPod('p').launcherOf(aVmi().on('n1').build()).on('n1').build();
const { metadata } = pod;
const withMeta = (change: object): Pod => ({
  ...pod,
  metadata: { ...metadata, resourceVersion: '8', ...change },
});

describe('a launcher that shows something else', () => {
  it.each([
    ['the node of its VMI', { labels: { ...metadata.labels, 'kubevirt.io/nodeName': 'n2' } }],
    ['that it is outdated', { labels: { ...metadata.labels, 'kubevirt.io/outdatedLauncherImage': '' } }],
    [
      'that a migration is ready for it',
      { annotations: { ...metadata.annotations, 'kubevirt.io/migration-target-ready-timestamp': 'now' } },
    ],
  ])('%s: nobody who made it or runs it reads that', (_, change) => {
    expect(isShownNews(pod, withMeta(change))).toBe(true);
    expect(isShownNews(withMeta(change), pod)).toBe(true);
  });

  it.each([
    ['another label', withMeta({ labels: { ...metadata.labels, app: 'other' } })],
    ['another annotation', withMeta({ annotations: { ...metadata.annotations, a: 'b' } })],
    ['a deletion', withMeta({ deletionTimestamp: '2026-03-01T12:00:00Z' })],
    ['another status', { ...pod, status: { ...pod.status } }],
    ['another spec', { ...pod, spec: { ...pod.spec } }],
  ])('%s is news', (_, after) => {
    expect(isShownNews(pod, after)).toBe(false);
  });
});
