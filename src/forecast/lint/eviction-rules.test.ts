import { describe, expect, it } from 'vitest';
import { aKubeVirt, aVm, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { aFleet, controlled, findingsOf, launched, objectsFound } from './builders.ts';
import { drainRefused, restartsUnannounced, staysOffAfterEviction } from './eviction-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const WEB = 'VirtualMachineInstance shop/web';
const cluster = aKubeVirt().build();
const owned = (strategy: string, name = 'db') => aVmi(name).on('n1').strategy(strategy);
const fixed = (strategy: string, name = 'db', reason = 'HostDeviceNotLiveMigratable') =>
  controlled(owned(strategy, name).migratable('False', reason, 'a device stays').build());

describe('DrainRefused', () => {
  it.each([
    ['a VMI that can migrate', launched(owned('LiveMigrate').migratable().build())],
    ['a milder strategy', launched(fixed('LiveMigrateIfPossible'))],
    ['External', launched(fixed('External'))],
    ['a VMI whose launcher is not known', [fixed('LiveMigrate')]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(drainRefused, aFleet(cluster, ...objects))).toEqual([]);
  });

  it('gives reason and ways out', () => {
    expect(findingsOf(drainRefused, aFleet(cluster, ...launched(fixed('LiveMigrate'))))).toMatchObject([
      {
        code: 'DRV013',
        severity: 'warning',
        objects: [DB],
        cause:
          '1 VMI has strategy LiveMigrate and cannot live-migrate (HostDeviceNotLiveMigratable); shop/db: a device stays.',
        cure:
          'Shut the VM down before its node is drained (`virtctl stop -n shop db`), or let it be shut down by the drain: ' +
          '`kubectl patch vm -n shop db --type merge -p \'{"spec":{"template":{"spec":{"evictionStrategy":"LiveMigrateIfPossible"}}}}\'`, ' +
          'then restart it once (`virtctl restart -n shop db`)',
        evidence: [
          { object: DB, path: 'spec.evictionStrategy', value: 'LiveMigrate' },
          {
            object: DB,
            path: 'status.conditions[type=LiveMigratable]',
            value: 'False: HostDeviceNotLiveMigratable: a device stays',
          },
        ],
      },
    ]);
  });

  it('makes one finding of each reason', () => {
    const none = controlled(owned('LiveMigrate', 'web').build());
    const more = fixed('LiveMigrate', 'mail', 'DisksNotLiveMigratable');
    const same = fixed('LiveMigrate', 'log', 'DisksNotLiveMigratable');
    const fleet = aFleet(cluster, ...[none, more, same].flatMap(launched));
    const found = findingsOf(drainRefused, fleet);
    expect(found.map(({ objects }) => objects.length)).toEqual([2, 1]);
    expect(found.map(({ cause }) => cause)).toEqual([
      '2 VMIs have strategy LiveMigrate and cannot live-migrate (DisksNotLiveMigratable); shop/log: a device stays.',
      '1 VMI has strategy LiveMigrate and cannot live-migrate; shop/web: it has no LiveMigratable condition yet.',
    ]);
  });
});

describe('StaysOffAfterEviction', () => {
  const run = (runStrategy: string, vmi: Vmi) => [
    ...launched(vmi),
    aVm(vmi.metadata.name).runStrategy(runStrategy).build(),
  ];
  const manual = run('Manual', fixed('LiveMigrateIfPossible'));

  it.each([
    ['a VM that starts again', run('Always', fixed('LiveMigrateIfPossible'))],
    ['a VM that migrates', run('Manual', controlled(owned('LiveMigrateIfPossible').migratable().build()))],
    ['an eviction that is refused', run('Manual', fixed('LiveMigrate'))],
    ['an eviction that is handed over', run('Manual', fixed('External'))],
    ['a VM that is not in the input', launched(fixed('None'))],
    [
      'volumes on the move, which have a rule of their own',
      run(
        'Manual',
        controlled(
          owned('None')
            .condition('VolumesChange', 'True')
            .status({ migratedVolumes: [{ volumeName: 'root' }] })
            .build(),
        ),
      ),
    ],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(staysOffAfterEviction, aFleet(cluster, ...objects))).toEqual([]);
  });

  it('finds Manual VMs', () => {
    expect(findingsOf(staysOffAfterEviction, aFleet(cluster, ...manual))).toMatchObject([
      {
        code: 'DRV014',
        severity: 'warning',
        objects: [DB],
        cause:
          '1 VMI is shut down by an eviction (strategy LiveMigrateIfPossible, and not live-migratable) and stays off: strategy Manual, and no start is requested.',
        cure:
          'Start them again after the drain (`virtctl start -n shop db`), or have that done for you: ' +
          '`kubectl patch vm -n shop db --type merge -p \'{"spec":{"runStrategy":"Always"}}\'`',
      },
    ]);
    const [finding] = findingsOf(staysOffAfterEviction, aFleet(cluster, ...manual));
    expect(finding?.evidence.map(({ object, path }) => `${object} ${path}`)).toEqual([
      `${DB} spec.evictionStrategy`,
      `${DB} status.conditions[type=LiveMigratable]`,
      `${DB} spec.terminationGracePeriodSeconds`,
      `${DB} spec.domain.features.acpi.enabled`,
      'VirtualMachine shop/db spec.runStrategy',
      'VirtualMachine shop/db status.stateChangeRequests',
    ]);
  });

  it.each([
    ['Once', {}, 'stays off: strategy Once, and the ended VMI object stays.'],
    ['RerunOnFailure', {}, 'may stay off: strategy RerunOnFailure, and the guest shuts down cleanly.'],
    [
      'RerunOnFailure',
      { terminationGracePeriodSeconds: 0 },
      'stays off: the VMI gives its guest no time: it is destroyed at once, which counts as success; strategy RerunOnFailure, and the guest shuts down cleanly.',
    ],
  ])('tells what becomes of a %s VM with %j', (strategy, spec, end) => {
    const fleet = aFleet(
      cluster,
      ...run(
        strategy,
        controlled(
          owned('None')
            .spec({ ...spec, evictionStrategy: 'None' })
            .build(),
        ),
      ),
    );
    expect(findingsOf(staysOffAfterEviction, fleet)[0]?.cause).toBe(
      `1 VMI is shut down by an eviction (strategy None) and ${end}`,
    );
  });

  it('does not tell Manual VMs apart by how their guests end', () => {
    const hasty = controlled(
      owned('None', 'web').spec({ evictionStrategy: 'None', terminationGracePeriodSeconds: 0 }).build(),
    );
    const fleet = aFleet(cluster, ...run('Manual', fixed('None')), ...run('Manual', hasty));
    expect(findingsOf(staysOffAfterEviction, fleet).map(({ cause }) => cause)).toEqual([
      '2 VMIs are shut down by an eviction (strategy None) and stay off: strategy Manual, and no start is requested.',
    ]);
  });

  it('has other advice for a VMI that nobody owns', () => {
    const [finding] = findingsOf(staysOffAfterEviction, aFleet(cluster, ...launched(owned('').build())));
    expect(finding?.cause).toBe(
      '1 VMI is shut down by an eviction (strategy "") and stays off: no controller owns the VMI.',
    );
    expect(finding?.cure).toBe(
      'Save what is worth keeping before the node is drained; a VM that owns the VMI would start it again: `kubectl get vmi -n shop db -o yaml`',
    );
  });

  it('makes one finding of each end and strategy', () => {
    const web = run('Manual', fixed('LiveMigrateIfPossible', 'web'));
    const mail = run('Manual', fixed('None', 'mail'));
    const log = run('Once', fixed('None', 'log'));
    const fleet = aFleet(cluster, ...web, ...manual, ...mail, ...log);
    expect(objectsFound(staysOffAfterEviction, fleet)).toEqual([
      [DB, WEB],
      ['VirtualMachineInstance shop/log'],
      ['VirtualMachineInstance shop/mail'],
    ]);
  });
});

describe('RestartsUnannounced', () => {
  const always = (vmi: Vmi) => [...launched(vmi), aVm(vmi.metadata.name).build()];

  it.each([
    ['a VM that migrates', always(controlled(owned('LiveMigrateIfPossible').migratable().build()))],
    ['an eviction that is refused', always(fixed('LiveMigrate'))],
    ['a VM that may stay off', [...launched(fixed('None')), aVm('db').runStrategy('RerunOnFailure').build()]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(restartsUnannounced, aFleet(cluster, ...objects))).toEqual([]);
  });

  it('finds VMs that cannot migrate under the mild strategy', () => {
    expect(
      findingsOf(restartsUnannounced, aFleet(cluster, ...always(fixed('LiveMigrateIfPossible')))),
    ).toMatchObject([
      {
        code: 'DRV016',
        severity: 'info',
        objects: [DB],
        cause:
          '1 VMI is shut down and started again by an eviction (strategy LiveMigrateIfPossible, and not live-migratable).',
        cure: 'Tell the owners, or have drains wait for them with strategy LiveMigrate on the VM; what a drain would do now: `drover plan evict shop/db`',
      },
    ]);
  });

  it('offers a migration to VMs that could have one', () => {
    const movable = always(controlled(owned('None', 'web').migratable().build()));
    const found = findingsOf(restartsUnannounced, aFleet(cluster, ...movable, ...always(fixed('None'))));
    expect(found.map(({ objects }) => objects)).toEqual([[DB], [WEB]]);
    expect(found[1]).toMatchObject({
      cause:
        '1 VMI is shut down and started again by an eviction (strategy None, although it could live-migrate).',
      cure:
        'Have it migrated instead: `kubectl patch vm -n shop web --type merge -p \'{"spec":{"template":{"spec":{"evictionStrategy":"LiveMigrateIfPossible"}}}}\'`, ' +
        'then restart it once (`virtctl restart -n shop web`)',
    });
  });
});
