import { expect, it } from 'vitest';
import { DRAIN_CLIENTS } from '../../../decide/drain/clients.ts';
import { told } from '../../test-world.ts';
import { type DeschedulerOptions, descheduler } from './descheduler.ts';
import { aManagedPod, aVm, drainWorld } from './test-drain.ts';

const plain = DRAIN_CLIENTS.descheduler;
const open = { ...plain, evictor: { ...plain.evictor, protectLocalStorage: false } };
const background = { ...open, evictor: { ...open.evictor, evictsInBackground: true } };

const everything = () => 'RemoveAll';

function begin(objects: readonly object[], options: Partial<DeschedulerOptions> = {}) {
  const here = drainWorld(objects);
  const actor = descheduler(here.context, { client: open, wants: everything, ...options });
  actor.start();
  return { ...here, actor };
}

it('evicts in each cycle what a strategy wants gone', async () => {
  const wants: DeschedulerOptions['wants'] = (pod, node) =>
    pod.metadata.name !== 'keep' && node.metadata.name === 'n1' ? 'RemoveAll' : undefined;
  const here = begin([aManagedPod('a').build(), aManagedPod('keep').build()], { wants });
  await here.world.clock.advance(10);
  here.world.put(aManagedPod('b').build());
  await here.world.clock.advance(300);
  expect(here.evictions()).toEqual(['shop/a@0', 'shop/b@300']);
  expect(told(here.context.cluster)).toEqual([
    'RemoveAll a: pod eviction from n1 node by sigs.k8s.io/descheduler',
    'RemoveAll b: pod eviction from n1 node by sigs.k8s.io/descheduler',
  ]);
  expect(here.node('n1')?.spec).toEqual({});
});

it('is known to KubeVirt by its annotation', async () => {
  const here = begin(aVm('mig', 'True'));
  await here.world.clock.settle();
  expect(here.world.api.get('VirtualMachineInstance', 'shop/mig')?.metadata.annotations).toMatchObject({
    'kubevirt.io/eviction-source': 'descheduler',
  });
});

it('asks a refused pod anew in every cycle, of any length', async () => {
  const here = begin(aVm('fix', 'False'), { cycleSeconds: 60 });
  await here.world.clock.advance(125);
  expect(here.evictions()).toEqual([0, 60, 120].map((second) => `shop/virt-launcher-fix-x@${second}`));
  await here.actor.stop();
  await here.world.clock.advance(600);
  expect(here.evictions()).toHaveLength(3);
});

it.each([
  [{ total: 1 }, ['shop/a@0']],
  [{ perNode: 1 }, ['shop/a@0', 'shop/c@0']],
  [{ perNamespace: 2 }, ['shop/a@0', 'shop/b@0']],
  [{}, ['shop/a@0', 'shop/b@0', 'shop/c@0']],
])('keeps to the limits %j of a cycle', async (limits, evictions) => {
  const pods = [aManagedPod('a'), aManagedPod('b'), aManagedPod('c').on('n2')].map((pod) => pod.build());
  const here = begin(pods, { limits });
  await here.world.clock.settle();
  expect(here.evictions()).toEqual(evictions);
});

const inBackground = () => {
  const [vmi, pod] = aVm('mig', 'True');
  const annotations = {
    ...pod?.metadata.annotations,
    'descheduler.alpha.kubernetes.io/request-evict-only': '',
  };
  return [vmi ?? {}, { ...pod, metadata: { ...pod?.metadata, annotations } }];
};

it('asks a pod once that moves in the background, and again when nothing has confirmed it for ten minutes', async () => {
  const here = begin(inBackground(), { client: background });
  await here.world.clock.advance(1000);
  expect(here.evictions()).toEqual(['shop/virt-launcher-mig-x@0']);
  await here.world.clock.advance(1000);
  expect(here.evictions()).toEqual([0, 1200].map((second) => `shop/virt-launcher-mig-x@${second}`));
});

it('counts a pod that moves against the limits', async () => {
  const [vmi, pod] = inBackground();
  const here = begin([vmi ?? {}, pod ?? {}, aManagedPod('zz').build()], {
    client: background,
    limits: { total: 1 },
  });
  await here.world.clock.settle();
  expect(here.evictions()).toEqual(['shop/virt-launcher-mig-x@0']);
  expect(here.context.cluster.events).toEqual([]);
});

it('forgets a pod whose move was called off', async () => {
  const here = begin(inBackground(), { client: background });
  const path = '/metadata/annotations/descheduler.alpha.kubernetes.io~1eviction-in-progress';
  await here.world.clock.advance(5);
  here.world.patch('Pod', 'shop/virt-launcher-mig-x', path, 'true');
  await here.world.clock.advance(5);
  here.world.api.patch('Pod', 'shop/virt-launcher-mig-x', [{ op: 'remove', path }]);
  await here.world.clock.advance(300);
  expect(here.evictions()).toHaveLength(2);
});
