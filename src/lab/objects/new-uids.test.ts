import { expect, it } from 'vitest';
import { NewUids } from './new-uids.ts';

it('every mention of an old UID is the new one, as a text and as a key, however deep', () => {
  const uids = new NewUids();
  uids.note('old-pod', 'new-pod');
  const labels = { 'kubevirt.io/created-by': 'old-vmi' };
  const owners = [{ kind: 'Pod', uid: 'old-pod', controller: true }];
  const vmi = {
    metadata: { labels, owners },
    status: { activePods: { 'old-pod': 'n1' }, note: 'of old-pod' },
  };
  expect(uids.renewed(vmi)).toEqual({
    metadata: { labels, owners: [{ kind: 'Pod', uid: 'new-pod', controller: true }] },
    status: { activePods: { 'new-pod': 'n1' }, note: 'of old-pod' },
  });
  expect([uids.has('old-pod'), uids.has('new-pod')]).toEqual([true, false]);
});
