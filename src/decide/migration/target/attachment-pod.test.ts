import { expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../../kubevirt/builders.ts';
import type { Migration } from '../../../kubevirt/objects.ts';
import { attachmentPod } from '../../launcher/attachment-pod.ts';
import { targetAttachmentPod } from './attachment-pod.ts';

const target = aPod('target').on('n2').build();
const volumes = [
  { name: 'root', containerDisk: {} },
  { name: 'extra', persistentVolumeClaim: { claimName: 'claim', hotpluggable: true } },
];
const render = (migration: Migration) =>
  targetAttachmentPod({
    migration,
    vmi: aVmi().spec({ volumes }).build(),
    targetPod: target,
    image: 'launcher:v2',
  });

it('is the attachment pod of the target with all plugged volumes', () => {
  const plain = attachmentPod(target, [{ name: 'extra', claimName: 'claim' }], 'launcher:v2');
  const { metadata, spec } = render(aMigration('m').build());
  expect(spec).toEqual(plain.spec);
  expect(metadata.ownerReferences).toEqual(plain.metadata.ownerReferences);
});

it('is marked as the pod of the migration', () => {
  const { labels, annotations } = render(aMigration('m').build()).metadata;
  expect(labels).toEqual({ 'kubevirt.io': 'hotplug-disk', 'kubevirt.io/migrationJobUID': 'uid-m' });
  expect(annotations).toEqual({ 'kubevirt.io/migrationJobName': 'm' });
  const nameless = render({ metadata: { name: 'm' } });
  expect(nameless.metadata.labels?.['kubevirt.io/migrationJobUID']).toBe('');
});
