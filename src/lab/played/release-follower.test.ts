import { expect, it } from 'vitest';
import type { Change } from '../../controllers/ports.ts';
import { Fleet } from '../../fleet/fleet.ts';
import type { KubeVirt } from '../../kubevirt/objects.ts';
import type { ActorContext } from '../../simulation/actors/actor.ts';
import { releaseFollower } from './release-follower.ts';

const cr = (spec: KubeVirt['spec']): KubeVirt => ({
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  spec,
});

/** A follower of a CR that says this at first, how to have it say something else, and what was rolled out. */
function followed(spec: KubeVirt['spec'], image = 'kubevirt/virt-launcher:v1.9.0') {
  const fleet = new Fleet();
  fleet.apply('KubeVirt', cr(spec));
  const seen = { rolledOut: [] as string[], cancelled: 0, isLeft: false };
  let tell = (_: Change): void => {};
  const subscribe = (listener: (change: Change) => void) => {
    tell = listener;
    return () => {
      seen.isLeft = true;
    };
  };
  const operator = {
    startUpgrade(version: string, image: string) {
      seen.rolledOut.push(`${version} ${image}`);
      return {
        done: Promise.reject(new Error('never asked')).catch(() => ({}) as never),
        cancel: () => seen.cancelled++,
      };
    },
  };
  const context = { cluster: { fleet, subscribe } } as unknown as ActorContext;
  const follower = releaseFollower(context, operator, image);
  const say = (next: KubeVirt['spec'], kind: 'KubeVirt' | 'Node' = 'KubeVirt') =>
    tell({ kind, key: 'kubevirt/kubevirt', before: undefined, after: cr(next) as never });
  follower.start();
  return { follower, say, seen };
}

it('rolls out what the CR comes to say, not what it says at first, and each release once', async () => {
  const { follower, say, seen } = followed({ imageTag: 'v1.9.0' });
  say({ imageTag: 'v1.9.0' });
  say({});
  say({ imageTag: 'v2' }, 'Node');
  expect(seen.rolledOut).toEqual([]);
  say({ imageTag: 'v1.9.1' });
  say({ imageTag: 'v1.9.1' });
  say({ imageTag: 'v1.9.1', imageRegistry: 'mine' });
  say({ imageTag: 'v1.9.0' });
  expect(seen.rolledOut).toEqual([
    'v1.9.1 kubevirt/virt-launcher:v1.9.1',
    'v1.9.1 mine/virt-launcher:v1.9.1',
    'v1.9.0 kubevirt/virt-launcher:v1.9.0',
  ]);
  await follower.stop();
  expect([seen.isLeft, seen.cancelled]).toEqual([true, 1]);
});

it('rolls out the first tag of a CR that named none, as those of snapshots do', () => {
  const { say, seen } = followed({});
  say({});
  say({ imageTag: 'v1.9.1' });
  expect(seen.rolledOut).toEqual(['v1.9.1 kubevirt/virt-launcher:v1.9.1']);
});

it.each([
  ['quay.io/kubevirt/virt-launcher:v1.8.2', 'quay.io/kubevirt/virt-launcher:v1.9.1'],
  ['host:5000/virt-launcher@sha256:0', 'host:5000/virt-launcher:v1.9.1'],
  ['launcher:v1', 'kubevirt/virt-launcher:v1.9.1'],
])('a snapshot of launchers of %s is not moved to images of another registry', (runs, rolledOut) => {
  const { say, seen } = followed({}, runs);
  say({ imageTag: 'v1.9.1' });
  say({ imageTag: 'v1.9.1', imageRegistry: 'mine' });
  expect(seen.rolledOut).toEqual([`v1.9.1 ${rolledOut}`, 'v1.9.1 mine/virt-launcher:v1.9.1']);
});
