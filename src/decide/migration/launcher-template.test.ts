import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, VmiSpec } from '../../kubevirt/objects.ts';
import { type LauncherTemplateInput, launcherTemplate } from './launcher-template.ts';

const vmi = () => aVmi().on('n1').annotated('kubevirt.io/nonroot', 'true');
const launcher = () =>
  aPod()
    .launcherOf(vmi().build())
    .on('n1')
    .labelled('vm.kubevirt.io/name', 'db')
    .labelled('vmi.kubevirt.io/id', 'db')
    .spec({ containers: [{ name: 'compute', image: 'launcher:v1' }] });
const render = (change: Partial<LauncherTemplateInput> = {}): Pod =>
  launcherTemplate({
    vmi: vmi().build(),
    pod: launcher().build(),
    launcherImage: 'launcher:v2',
    enforcedNodeSelector: undefined,
    behavior: 'exact',
    ...change,
  });

describe('the template of a target pod', () => {
  it('is a pod of the VMI without name, UID, node and status', () => {
    const { metadata, spec, status, kind } = render();
    expect(kind).toBe('Pod');
    expect(metadata).toEqual({
      name: '',
      generateName: 'virt-launcher-db-',
      namespace: 'shop',
      labels: {
        'kubevirt.io': 'virt-launcher',
        'kubevirt.io/created-by': 'uid-db',
        'kubevirt.io/nodeName': 'n1',
        'vm.kubevirt.io/name': 'db',
        'vmi.kubevirt.io/id': 'db',
      },
      annotations: { 'kubevirt.io/domain': 'db', 'kubevirt.io/nonroot': 'true' },
      ownerReferences: launcher().build().metadata.ownerReferences,
    });
    expect(status).toBeUndefined();
    expect(spec).not.toHaveProperty('nodeName');
  });

  it('has only the labels that launchers have', () => {
    const pod = aPod().labelled('topology.kubernetes.io/zone', 'z1').build();
    expect(render({ pod, vmi: aVmi().build() }).metadata.labels).toEqual({
      'kubevirt.io': 'virt-launcher',
      'kubevirt.io/created-by': 'uid-db',
    });
    const nameless = { ...aVmi().build(), metadata: { name: 'db' } };
    expect(render({ vmi: nameless }).metadata.labels?.['kubevirt.io/created-by']).toBe('');
  });

  it('has no annotations that a migration, an eviction or a client left', () => {
    const pod = launcher()
      .targetOf(vmi().build(), aMigration().build())
      .annotated('kubevirt.io/migration-target-ready-timestamp', 'then')
      .annotated('descheduler.alpha.kubernetes.io/eviction-in-progress', 'true')
      .annotated('kubevirt.io/memory-overhead-bytes', '281018368');
    const seen = vmi()
      .annotated('kubevirt.io/latest-observed-api-version', 'v1')
      .annotated('kubevirt.io/storage-observed-api-version', 'v1')
      .annotated('kubectl.kubernetes.io/last-applied-configuration', '{}');
    const { annotations, labels } = render({ pod: pod.build(), vmi: seen.build() }).metadata;
    expect(annotations).toEqual({
      'kubevirt.io/domain': 'db',
      'kubevirt.io/nonroot': 'true',
      'kubevirt.io/memory-overhead-bytes': '281018368',
    });
    expect(labels).not.toHaveProperty('kubevirt.io/migrationJobUID');
  });

  it("keeps the VMI's controller as its only owner", () => {
    const [controller] = launcher().build().metadata.ownerReferences ?? [];
    const other = { name: 'other', controller: false };
    const pod = launcher().meta({ ownerReferences: [other, ...(controller ? [controller] : [])] });
    expect(render({ pod: pod.build() }).metadata.ownerReferences).toEqual([controller]);
  });

  it('is started from the image of today, wherever the launcher was', () => {
    const helper = { name: 'log', image: 'launcher:v1' };
    const pod = launcher().spec({
      containers: [
        { name: 'compute', image: 'launcher:v1' },
        { name: 'hook', image: 'hook:v1' },
      ],
      initContainers: [helper, { name: 'disk', image: 'disk:1' }],
    });
    const { containers, initContainers } = render({ pod: pod.build() }).spec ?? {};
    expect(containers?.map(({ image }) => image)).toEqual(['launcher:v2', 'hook:v1']);
    expect(initContainers?.map(({ image }) => image)).toEqual(['launcher:v2', 'disk:1']);
    const same = render({ pod: pod.build(), launcherImage: undefined }).spec;
    expect(same?.initContainers?.[0]).toEqual(helper);
  });

  it('names no image where the launcher has none', () => {
    const pod = launcher().spec({ containers: [{ name: 'compute' }, { name: 'x' }] });
    expect(render({ pod: pod.build() }).spec?.containers).toEqual([{ name: 'compute' }, { name: 'x' }]);
  });

  it('can do without anything', () => {
    const { spec } = render({ pod: { metadata: { name: 'p' } }, vmi: aVmi().build() });
    expect(JSON.parse(JSON.stringify(spec))).toEqual({ nodeSelector: {} });
  });

  it('keeps the rest of the security context', () => {
    const securityContext = { runAsUser: 107, seLinuxOptions: { level: 's0' } };
    const pod = launcher().spec({ securityContext });
    expect(render({ pod: pod.build() }).spec?.securityContext).toEqual({ runAsUser: 107 });
    expect(render().spec).not.toHaveProperty('securityContext');
  });
});

describe('where it may go', () => {
  const hostModel = { key: 'node-labeller.kubevirt.io/obsolete-host-model', operator: 'DoesNotExist' };
  const zone = { key: 'zone', operator: 'In', values: ['a'] };
  const nodeAffinity = (...terms: object[][]) => ({
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
    },
  });
  const affinityOf = (own: VmiSpec['affinity'], inPod: VmiSpec['affinity']) =>
    render({
      vmi: vmi().spec({ affinity: own }).build(),
      pod: launcher().spec({ affinity: inPod }).build(),
    }).spec?.affinity;
  const away = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'host' }] };

  it('is said by the VMI of today', () => {
    expect(affinityOf({ podAntiAffinity: away }, undefined)).toEqual({ podAntiAffinity: away });
    expect(affinityOf(undefined, { podAntiAffinity: away })).toBeUndefined();
    expect(affinityOf(undefined, { nodeAffinity: nodeAffinity([zone]) } as never)).toBeUndefined();
  });

  it("is narrowed by KubeVirt's own requirements in each term", () => {
    const inPod = { nodeAffinity: nodeAffinity([zone, hostModel]) } as never;
    expect(affinityOf(undefined, inPod)).toEqual({ nodeAffinity: nodeAffinity([hostModel]) });
    const fields = { matchFields: [zone] };
    const own = {
      podAntiAffinity: away,
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }],
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [zone] }, fields],
        },
      },
    };
    expect(affinityOf(own, inPod)).toEqual({
      podAntiAffinity: away,
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }],
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [zone, hostModel] },
            { ...fields, matchExpressions: [hostModel] },
          ],
        },
      },
    });
  });

  it('is said by the selectors that a fresh launcher has', () => {
    const pod = launcher().spec({ nodeSelector: { 'kubernetes.io/arch': 'amd64' } });
    const pinned = vmi().spec({ nodeSelector: { disk: 'ssd' } });
    expect(render({ pod: pod.build(), vmi: pinned.build() }).spec?.nodeSelector).toEqual({
      'kubernetes.io/arch': 'amd64',
      disk: 'ssd',
    });
  });

  it("is widened by the VMI's tolerations of today and those of every pod", () => {
    const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
    const unreachable = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' };
    const old = { key: 'old', operator: 'Exists' };
    const all = { operator: 'Exists' };
    const own = { ...unreachable, tolerationSeconds: 5 };
    const tolerations = (mine: object[] | undefined, inPod: object[] | undefined) =>
      render({
        vmi: vmi().spec({ tolerations: mine }).build(),
        pod: launcher().spec({ tolerations: inPod }).build(),
      }).spec?.tolerations;
    expect(tolerations([own], [notReady, unreachable, old, all])).toEqual([own, notReady]);
    expect(tolerations([{ ...own, effect: 'NoSchedule' }], [unreachable])).toHaveLength(2);
    expect(tolerations(undefined, undefined)).toBeUndefined();
    expect(tolerations(undefined, [notReady])).toEqual([notReady]);
  });
});

describe('what it asks for', () => {
  const resources = { requests: { cpu: '100m', memory: '332Mi' }, limits: { 'devices/kvm': '1' } };
  const pod = () =>
    launcher()
      .annotated('kubevirt.io/memory-overhead-bytes', '281018368')
      .spec({
        containers: [
          { name: 'compute', resources },
          { name: 'hook', resources },
        ],
      })
      .build();
  const oneCpu = { sockets: 1, cores: 1, threads: 1 };
  const rendered = (spec: VmiSpec, status: object = { currentCPUTopology: oneCpu }) => {
    const { metadata, spec: its } = render({ vmi: vmi().spec(spec).status(status).build(), pod: pod() });
    return {
      overhead: metadata.annotations?.['kubevirt.io/memory-overhead-bytes'],
      resources: its?.containers?.map((container) => container.resources),
    };
  };

  it('is what the launcher has while nothing was plugged in', () => {
    const same = { overhead: '281018368', resources: [resources, resources] };
    expect(rendered({ domain: { cpu: oneCpu } })).toEqual(same);
    expect(rendered({ domain: { cpu: { sockets: 4 } } }, {})).toEqual(same);
    expect(rendered({ domain: { memory: { guest: '1Gi' } } }, { memory: {} })).toEqual(same);
    expect(rendered({}, { memory: { guestCurrent: '1Gi' } })).toEqual(same);
  });

  it('grows with the CPUs, as it was recorded', () => {
    const { overhead, resources: grown } = rendered({ domain: { cpu: { ...oneCpu, sockets: 2 } } });
    expect(overhead).toBe('289406976');
    expect(grown?.[0]).toEqual({
      requests: { cpu: '200m', memory: '340Mi' },
      limits: { 'devices/kvm': '1' },
    });
    expect(grown?.[1]).toEqual(resources);
  });

  it('counts sockets, cores and threads, and nothing as one', () => {
    const status = { currentCPUTopology: { sockets: 2, cores: 3 } };
    const { overhead, resources: grown } = rendered(
      { domain: { cpu: { sockets: 3, cores: 3, threads: 2 } } },
      status,
    );
    expect(overhead).toBe(String((268 + 12 * 8) * 2 ** 20));
    expect(grown?.[0]?.requests).toEqual({ cpu: '300m', memory: '428Mi' });
    expect(rendered({}, status).resources?.[0]?.requests?.cpu).toBe('17m');
  });

  it('grows with the memory', () => {
    const { overhead, resources: grown } = rendered(
      { domain: { memory: { guest: '128Mi' } } },
      { memory: { guestCurrent: '64Mi' } },
    );
    expect(overhead).toBe('281018368');
    expect(grown?.[0]?.requests).toEqual({ cpu: '100m', memory: '396Mi' });
  });

  it('keeps what the VMI asks for in so many words, but for the overhead', () => {
    const requests = { cpu: '100m', memory: '64Mi' };
    const { resources: grown } = rendered(
      { domain: { cpu: { sockets: 2 }, memory: { guest: '128Mi' }, resources: { requests } } },
      { currentCPUTopology: oneCpu, memory: { guestCurrent: '64Mi' } },
    );
    expect(grown?.[0]?.requests).toEqual({ cpu: '100m', memory: '340Mi' });
  });

  it('has limits that grow alike, and may say nothing at all', () => {
    const limited = { limits: { cpu: '2', memory: '1Gi' } };
    const withLimits = launcher().spec({ containers: [{ name: 'compute', resources: limited }] });
    const two = vmi()
      .spec({ domain: { cpu: { sockets: 2 } } })
      .status({ currentCPUTopology: oneCpu });
    const compute = (of: Pod) => render({ vmi: two.build(), pod: of }).spec?.containers?.[0];
    expect(compute(withLimits.build())?.resources?.limits).toEqual({ cpu: '4', memory: '1032Mi' });
    expect(compute(launcher().build())).toEqual({ name: 'compute', image: 'launcher:v2' });
  });
});
