import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import { traceOf } from '../rules.ts';
import { EDIT_PATHS, type LiveEdit } from './edit.ts';
import { decideLiveEdit, liveEditTable } from './live-edit.ts';
import { hotPlug } from './result.ts';
import { edit, migrating, running, sockets, template, told } from './test-live-edit.ts';

const NOT_LIVE = 'a non-live-updatable field was changed in the template spec';

describe('every edit', () => {
  it.each<[string, LiveEdit]>([
    ['the same number', sockets(1)],
    ['the same amount', { path: 'memory.guest', value: '1024Mi' }],
    ['nothing where nothing was', { path: 'nodeSelector', value: undefined }],
  ])('of %s changes nothing', (_, of) => {
    expect(told(edit({ edit: of }))).toEqual(['SameValue', 'NoChange', 'the template says so already']);
    expect(told(edit({ edit: of, rolloutStrategy: 'Stage' }))[0]).toBe('SameValue');
  });

  it.each<[LiveEdit, boolean]>([
    [sockets(2), true],
    [{ path: 'memory.guest', value: '2Gi' }, true],
    [{ path: 'nodeSelector', value: { a: 'b' } }, false],
    [{ path: 'evictionStrategy', value: 'None' }, false],
  ])('%j of a VM with an instance type is refused: %s', (of, isRefused) => {
    const vm = aVm()
      .spec({ template: { spec: template }, instancetype: { name: 'u1.small' } })
      .build();
    const decision = decideLiveEdit(edit({ vm, edit: of }));
    expect(decision.reason === 'InstancetypeSetsIt').toBe(isRefused);
    if (!isRefused) return;
    expect(decision).toMatchObject({
      result: {
        effect: 'Refused',
        message: `the API server refuses ${of.path} on a VM that has an instance type`,
      },
      evidence: [
        { object: 'VirtualMachine shop/db', path: 'spec.instancetype', value: { name: 'u1.small' } },
      ],
    });
  });

  it.each([
    ['there is no VMI', undefined],
    ['it has ended', aVmi().phase('Succeeded').build()],
    ['it is being deleted', aVmi().deleting().build()],
  ])('waits for the next start when %s', (_, vmi) => {
    for (const rolloutStrategy of ['LiveUpdate', 'Stage']) {
      expect(told(edit({ vmi, edit: sockets(8), rolloutStrategy }))).toEqual([
        'NotRunning',
        'NoChange',
        'nothing runs; the edit counts at the next start',
      ]);
    }
  });

  it.each<LiveEdit>([
    sockets(2),
    { path: 'memory.guest', value: '2Gi' },
    { path: 'tolerations', value: [{ key: 'k' }] },
    { path: 'evictionStrategy', value: 'None' },
  ])('of $path requires a restart under Stage', (of) => {
    const decision = decideLiveEdit(edit({ edit: of, rolloutStrategy: 'Stage' }));
    expect(decision).toEqual({
      reason: 'StageRollout',
      result: {
        effect: 'RestartRequired',
        message: NOT_LIVE,
        condition: { type: 'RestartRequired', status: 'True', message: NOT_LIVE },
      },
      evidence: [{ object: 'KubeVirt', path: 'spec.configuration.vmRolloutStrategy', value: 'Stage' }],
    });
  });

  it.each<LiveEdit>([
    { path: 'cpu.cores', value: 4 },
    { path: 'cpu.threads', value: 2 },
    { path: 'cpu.maxSockets', value: 8 },
    { path: 'cpu.model', value: 'host-passthrough' },
    { path: 'memory.maxGuest', value: '8Gi' },
    { path: 'memory.guest', value: undefined },
    { path: 'evictionStrategy', value: 'LiveMigrate' },
    { path: 'terminationGracePeriodSeconds', value: 0 },
  ])('of $path to $value requires a restart', (of) => {
    expect(told(edit({ edit: of }))).toEqual(['NotLiveUpdatable', 'RestartRequired', NOT_LIVE]);
  });

  it('of sockets in a template without CPU section requires a restart', () => {
    const vm = aVm().template({}).build();
    const decision = decideLiveEdit(edit({ vm, edit: sockets(2) }));
    expect(decision.reason).toBe('NotLiveUpdatable');
    expect(decision.evidence).toEqual([
      { object: 'VirtualMachine shop/db', path: 'spec.template.spec.domain.cpu.sockets', value: undefined },
    ]);
  });

  it('waits behind an earlier one that requires a restart', () => {
    const vm = aVm().template(template).condition('RestartRequired', 'True', undefined, 'earlier').build();
    const decision = decideLiveEdit(edit({ vm, edit: sockets(2) }));
    expect(decision).toEqual({
      reason: 'RestartAlreadyRequired',
      result: {
        effect: 'RestartRequired',
        message: 'earlier',
        condition: { type: 'RestartRequired', status: 'True', message: 'earlier' },
      },
      evidence: [
        {
          object: 'VirtualMachine shop/db',
          path: 'status.conditions[type=RestartRequired]',
          value: 'True: earlier',
        },
      ],
    });
    const silent = aVm().template(template).condition('RestartRequired').build();
    expect(told(edit({ vm: silent, edit: sockets(2) }))[2]).toBe('');
  });

  it('that cannot go in live says so, whatever was required earlier', () => {
    const vm = aVm().template(template).condition('RestartRequired').build();
    expect(told(edit({ vm, edit: { path: 'cpu.cores', value: 4 } }))).toEqual([
      'NotLiveUpdatable',
      'RestartRequired',
      NOT_LIVE,
    ]);
  });

  it('names the field that it changes, and what runs', () => {
    const at = (path: string, value: unknown) => ({ object: 'VirtualMachine shop/db', path, value });
    expect(decideLiveEdit(edit({ edit: sockets(1) })).evidence).toEqual([
      at('spec.template.spec.domain.cpu.sockets', 1),
    ]);
    expect(decideLiveEdit(edit({ vmi: undefined, edit: sockets(2) })).evidence).toEqual([
      at('status.created', undefined),
    ]);
    const ended = aVmi().phase('Failed').build();
    expect(decideLiveEdit(edit({ vmi: ended, edit: sockets(2) })).evidence).toEqual([
      { object: 'VirtualMachineInstance shop/db', path: 'status.phase', value: 'Failed' },
    ]);
  });
});

describe('placement', () => {
  const moves = 'the running VMI keeps its node; the new placement counts when it moves';
  const affinityRefusal =
    'Error encountered while handling node affinity change request: Node affinity should not be changed during VMI migration';

  it.each<[LiveEdit, string]>([
    [{ path: 'nodeSelector', value: { a: 'b' } }, affinityRefusal],
    [{ path: 'affinity', value: { podAffinity: {} } }, affinityRefusal],
    [
      { path: 'tolerations', value: [{ key: 'k' }] },
      'Error encountered while handling tolerations change request: tolerations should not be changed during VMI migration',
    ],
  ])('%j reaches the VMI, but not during a migration', (of, refusal) => {
    expect(decideLiveEdit(edit({ edit: of }))).toMatchObject({
      reason: 'PlacementChanged',
      result: hotPlug(moves),
    });
    expect(decideLiveEdit(edit({ edit: of })).result.condition).toBeUndefined();
    const vmi = running().migrationState(migrating).build();
    expect(told(edit({ vmi, edit: of }))).toEqual(['PlacementDuringMigration', 'Refused', refusal]);
  });

  it('names what the VMI has', () => {
    const of: LiveEdit = { path: 'nodeSelector', value: { a: 'b' } };
    const vmi = running().spec({ nodeSelector: { a: 'old' } });
    const object = 'VirtualMachineInstance shop/db';
    expect(decideLiveEdit(edit({ vmi: vmi.build(), edit: of })).evidence).toEqual([
      { object, path: 'spec.nodeSelector', value: { a: 'old' } },
    ]);
    expect(decideLiveEdit(edit({ vmi: vmi.migrationState(migrating).build(), edit: of })).evidence).toEqual([
      { object, path: 'status.migrationState', value: migrating },
    ]);
  });
});

describe('the tables', () => {
  it.each(EDIT_PATHS)('of %s have a question and a source for every rule', (path) => {
    for (const { asks, source } of liveEditTable(path)) {
      expect(asks).toMatch(/\w+ \w+/);
      expect(source).toMatch(/^kubevirt v1\.9\.0 /);
    }
  });

  it('tell what they tried', () => {
    expect(
      traceOf(liveEditTable('cpu.cores'), edit({ edit: { path: 'cpu.cores', value: 4 } })).map(
        ({ rule }) => rule,
      ),
    ).toEqual(['SameValue', 'InstancetypeSetsIt', 'NotRunning', 'StageRollout', 'NotLiveUpdatable']);
  });

  it('never ask the rules of a field about a VM without VMI', () => {
    const rule = liveEditTable('cpu.sockets').find(({ name }) => name === 'CpuHotplug');
    expect(() => rule?.when(edit({ vmi: undefined, edit: sockets(2) }))).toThrow(
      'a rule about running VMIs was asked about a VM without one',
    );
  });
});
