import { expect, it } from 'vitest';
import type { Change } from '../controllers/ports.ts';
import { Fleet } from '../fleet/fleet.ts';
import type { KubeVirt } from '../kubevirt/objects.ts';
import type { ActorContext } from '../simulation/actors/actor.ts';
import { releaseFollower } from './release-follower.ts';

const cr = (spec: KubeVirt['spec']): KubeVirt => ({
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  spec,
});

it('rolls out what the CR comes to say, not what it says at first, and each release once', async () => {
  const fleet = new Fleet();
  fleet.apply('KubeVirt', cr({ imageTag: 'v1.9.0' }));
  let tell = (_: Change): void => {};
  let isLeft = false;
  const subscribe = (listener: (change: Change) => void) => {
    tell = listener;
    return () => {
      isLeft = true;
    };
  };
  const rolledOut: string[] = [];
  let cancelled = 0;
  const operator = {
    startUpgrade(version: string, image: string) {
      rolledOut.push(`${version} ${image}`);
      return {
        done: Promise.reject(new Error('never asked')).catch(() => ({}) as never),
        cancel: () => cancelled++,
      };
    },
  };
  const follower = releaseFollower({ cluster: { fleet, subscribe } } as unknown as ActorContext, operator);
  const say = (spec: KubeVirt['spec'], kind: 'KubeVirt' | 'Node' = 'KubeVirt') =>
    tell({ kind, key: 'kubevirt/kubevirt', before: undefined, after: cr(spec) as never });
  follower.start();
  say({ imageTag: 'v1.9.0' });
  say({});
  say({ imageTag: 'v2' }, 'Node');
  expect(rolledOut).toEqual([]);
  say({ imageTag: 'v1.9.1' });
  say({ imageTag: 'v1.9.1' });
  say({ imageTag: 'v1.9.1', imageRegistry: 'mine' });
  say({ imageTag: 'v1.9.0' });
  expect(rolledOut).toEqual([
    'v1.9.1 kubevirt/virt-launcher:v1.9.1',
    'v1.9.1 mine/virt-launcher:v1.9.1',
    'v1.9.0 kubevirt/virt-launcher:v1.9.0',
  ]);
  await follower.stop();
  expect([isLeft, cancelled]).toEqual([true, 1]);
});
