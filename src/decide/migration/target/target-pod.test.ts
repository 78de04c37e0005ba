import { describe, expect, it } from 'vitest';
import { aMigration, aNode, aPod, aVmi } from '../../../kubevirt/builders.ts';
import {
  attachmentCreatedEvent,
  attachmentRefusedEvent,
  type TargetTemplateInput,
  targetCreatedEvent,
  targetPod,
  targetRefusedEvent,
} from './target-pod.ts';

const MODEL = 'host-model-cpu.node.kubevirt.io/Skylake';
const WANTED = 'cpu-model-migration.node.kubevirt.io/Skylake';
const vmi = () => aVmi().on('n1').status({ selinuxContext: 'system_u:object_r:container_file_t:s0:c1,c2' });
const hostModel = () => vmi().spec({ domain: { cpu: { model: 'host-model' } } });
const template = () =>
  aPod('').meta({ generateName: 'virt-launcher-db-' }).labelled('kubevirt.io', 'virt-launcher');
const labelledNode = () => aNode('n1').labelled(MODEL, 'true');

const ask = (change: Partial<TargetTemplateInput> = {}): TargetTemplateInput => ({
  vmi: vmi().build(),
  migration: aMigration('m').build(),
  template: template().annotated('mine', 'x').build(),
  sourcePod: aPod('source').on('n1').build(),
  sourceNode: aNode('n1').build(),
  matchSELinuxLevel: undefined,
  behavior: 'exact',
  ...change,
});
const podOf = (change: Partial<TargetTemplateInput> = {}) => {
  const result = targetPod(ask(change));
  return 'pod' in result ? result.pod : undefined;
};
const selectorOf = (change: Partial<TargetTemplateInput>) => podOf(change)?.spec?.nodeSelector;
const away = {
  labelSelector: { matchLabels: { 'kubevirt.io/created-by': 'uid-db' } },
  topologyKey: 'kubernetes.io/hostname',
};

describe('a target pod', () => {
  it('is the template, marked as the target of the migration', () => {
    expect(podOf()?.metadata).toMatchObject({
      generateName: 'virt-launcher-db-',
      labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/migrationJobUID': 'uid-m' },
      annotations: { mine: 'x', 'kubevirt.io/migrationJobName': 'm' },
    });
  });

  it('leaves the template alone', () => {
    const given = template().build();
    targetPod(ask({ template: given }));
    expect(given).toEqual(template().build());
  });

  it('keeps away from every pod of the VMI, besides what the template asks', () => {
    expect(podOf()?.spec?.affinity).toEqual({
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [away] },
    });
    const term = { topologyKey: 'zone' };
    const own = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const affinity = { podAffinity: own, podAntiAffinity: own };
    expect(podOf({ template: template().spec({ affinity }).build() })?.spec?.affinity).toEqual({
      podAffinity: own,
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term, away] },
    });
  });
});

describe('its node selector', () => {
  const added = (addedNodeSelector: Record<string, string>) =>
    aMigration('m').spec({ addedNodeSelector }).build();

  it("is the migration's under the template's", () => {
    expect(selectorOf({})).toEqual({});
    const nodeSelector = { rack: '1', 'kubevirt.io/schedulable': 'true' };
    expect(
      selectorOf({
        migration: added({ rack: '2', disk: 'fast' }),
        template: template().spec({ nodeSelector }).build(),
      }),
    ).toEqual({
      rack: '1',
      disk: 'fast',
      'kubevirt.io/schedulable': 'true',
    });
  });

  it('does not take over what only the source pod asks', () => {
    const sourcePod = aPod('source')
      .spec({ nodeSelector: { rack: '9' } })
      .build();
    expect(selectorOf({ sourcePod })).toEqual({});
  });

  it("binds a guest with the host's CPU model to the model and features of its node", () => {
    const sourceNode = labelledNode()
      .labelled('host-model-required-features.node.kubevirt.io/vmx', 'true')
      .build();
    expect(selectorOf({ vmi: hostModel().build(), sourceNode })).toEqual({
      [WANTED]: 'true',
      'cpu-feature.node.kubevirt.io/vmx': 'true',
    });
  });

  it('keeps what an earlier migration bound it to', () => {
    const nodeSelector = { 'cpu-model-migration.node.kubevirt.io/Haswell': 'true', rack: '9' };
    const sourcePod = aPod('source')
      .labelled('kubevirt.io/migrationJobUID', 'x')
      .spec({ nodeSelector })
      .build();
    expect(selectorOf({ vmi: hostModel().build(), sourceNode: labelledNode().build(), sourcePod })).toEqual({
      'cpu-model-migration.node.kubevirt.io/Haswell': 'true',
    });
  });

  it('leaves other guests free', () => {
    expect(selectorOf({ sourceNode: labelledNode().build() })).toEqual({});
  });

  it('asks for the vendor of the CPU that is left', () => {
    const sourceNode = aNode('n1').labelled('cpu-vendor.node.kubevirt.io/Intel', 'yes').build();
    expect(selectorOf({ sourceNode })).toEqual({ 'cpu-vendor.node.kubevirt.io/Intel': 'true' });
  });

  it('fails where the node that is left is unknown', () => {
    const input = ask({ vmi: hostModel().build(), sourceNode: undefined });
    expect(targetPod(input)).toEqual({ error: 'the CPU model to look for is unknown: no Node n1' });
  });
});

describe('defect: a node that does not tell its CPU model', () => {
  const unlabelled = { vmi: hostModel().build(), sourceNode: aNode('n1').build() };

  it('exact: the error is lost, and the target goes anywhere', () => {
    expect(selectorOf({ ...unlabelled, behavior: 'exact' })).toEqual({});
  });

  it('intended: there is no target', () => {
    expect(targetPod(ask({ ...unlabelled, behavior: 'intended' }))).toEqual({
      error: 'the CPU model to look for is unknown: no label host-model-cpu.node.kubevirt.io/… of Node n1',
    });
  });
});

describe('its SELinux level', () => {
  const levelOf = (selinuxContext: string | undefined, matchSELinuxLevel?: boolean) =>
    targetPod(ask({ vmi: aVmi().on('n1').status({ selinuxContext }).build(), matchSELinuxLevel }));
  const level = { seLinuxOptions: { level: 's0:c1,c2' } };
  const context = 'system_u:object_r:container_file_t:s0:c1,c2';

  it.each([
    ['that of the VMI', context, undefined, level],
    ['that of the VMI, where it is asked for', context, true, level],
    ['none where it is not to match', context, false, undefined],
    ['none where nothing is known and it is not to match', undefined, false, undefined],
    ['none on a node without SELinux', 'none', undefined, undefined],
    ['none where the context has no level', 'system_u:object_r:container_file_t', undefined, undefined],
  ])('is %s', (_, selinuxContext, match, expected) => {
    expect(levelOf(selinuxContext, match)).toHaveProperty('pod.metadata');
    const result = levelOf(selinuxContext, match);
    expect('pod' in result && result.pod.spec?.securityContext).toEqual(expected);
  });

  it.each([undefined, ''])('cannot be %j', (selinuxContext) => {
    expect(levelOf(selinuxContext)).toEqual({ error: 'SELinux context not set on VMI status' });
  });
});

describe('events about a target pod', () => {
  const onMigration = {
    kind: 'VirtualMachineInstanceMigration',
    namespace: 'shop',
    name: 'm',
    type: 'Normal',
  };

  it('tell what was created, or why it was not', () => {
    expect(targetCreatedEvent(aMigration('m').build(), 'virt-launcher-db-2')).toEqual({
      ...onMigration,
      reason: 'SuccessfulCreate',
      message: 'Created migration target pod virt-launcher-db-2',
    });
    expect(attachmentCreatedEvent(aMigration('m').build(), 'hp-volume-1')).toEqual({
      ...onMigration,
      reason: 'SuccessfulCreate',
      message: 'Created attachment pod hp-volume-1',
    });
    expect(targetRefusedEvent(aVmi().build(), 'exceeded quota')).toEqual({
      kind: 'VirtualMachineInstance',
      namespace: 'shop',
      name: 'db',
      type: 'Warning',
      reason: 'FailedCreate',
      message: 'Error creating pod: exceeded quota',
    });
    expect(attachmentRefusedEvent(aVmi().build(), 'no')).toMatchObject({
      reason: 'FailedCreate',
      type: 'Warning',
      message: 'Error creating attachment pod: no',
    });
  });
});
