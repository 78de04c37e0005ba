import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EventDraft } from '../../decide/events.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { kubevirtCrds } from '../../lab/objects/crds.ts';
import { loadCrds } from '../../lab/objects/load-crds.ts';
import { type FaultProxy, startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { waitFor } from '../../lab/wait.ts';
import { type Followed, follow } from '../test-follow.ts';

interface ShownEvent {
  readonly metadata: { readonly name: string };
  readonly involvedObject: { readonly uid: string; readonly apiVersion: string };
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly type: string;
  readonly source: { readonly component: string };
}

describeLab('events on a real API server', () => {
  let lab: Lab;
  let proxy: FaultProxy;
  let followed: Followed;
  let made = 0;
  let vmi = '';

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab);
    await loadCrds(lab.admin, kubevirtCrds());
    followed = follow(proxy.kubeconfig, { kinds: ['VirtualMachineInstance', 'Node'] });
    await waitFor(() => followed.cluster.isSynced(), { what: 'the VMIs' });
  }, 90_000);
  afterAll(async () => {
    await followed?.stop();
    await proxy?.close();
    await lab?.stop();
  });
  beforeEach(async () => {
    proxy.setFault(() => undefined);
    vmi = `vmi-${++made}`;
    const object = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name: vmi } };
    await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) });
    await waitFor(() => followed.cluster.fleet.get('VirtualMachineInstance', `default/${vmi}`), {
      what: vmi,
    });
  });

  const record = (message: string, reason = 'SuccessfulEvict'): void => {
    const draft: EventDraft = {
      kind: 'VirtualMachineInstance',
      namespace: 'default',
      name: vmi,
      type: 'Normal',
      reason,
      message,
    };
    followed.cluster.recordEvent(draft, 'workload-update-controller');
  };
  const shown = async (): Promise<readonly ShownEvent[]> => {
    const args = ['get', 'events', '-A', '-o', 'json', `--field-selector=involvedObject.name=${vmi}`];
    return JSON.parse((await lab.kubectl(args)).stdout).items;
  };
  const total = async (): Promise<number> => (await shown()).reduce((sum, { count }) => sum + count, 0);

  it('are shown by kubectl with the object', async () => {
    record('Initiated eviction of Pod p');
    await waitFor(async () => (await total()) === 1, { what: 'the event' });
    const uid = followed.cluster.fleet.get('VirtualMachineInstance', `default/${vmi}`)?.metadata.uid;
    expect(await shown()).toMatchObject([
      {
        involvedObject: { uid, apiVersion: 'kubevirt.io/v1' },
        type: 'Normal',
        reason: 'SuccessfulEvict',
        message: 'Initiated eviction of Pod p',
        source: { component: 'workload-update-controller' },
        reportingComponent: 'workload-update-controller',
      },
    ]);
    expect((await lab.kubectl(['describe', 'vmi', vmi])).stdout).toMatch(
      /SuccessfulEvict +\d+s +workload-update-controller +Initiated/,
    );
  });

  it('count up when they come again', async () => {
    for (let i = 0; i < 3; i++) record('again');
    record('another');
    await waitFor(async () => (await total()) === 4, { what: 'four in all' });
    expect((await shown()).map(({ message, count }) => [message, count]).sort()).toEqual([
      ['again', 3],
      ['another', 1],
    ]);
  });

  it('are put together when they differ in their message only', async () => {
    for (let i = 0; i < 14; i++) record(`message ${i}`);
    await waitFor(async () => (await total()) === 14, { what: 'fourteen in all' });
    const events = await shown();
    expect(events).toHaveLength(11);
    expect(events.find(({ count }) => count === 4)?.message).toBe(
      '(combined from similar events): message 13',
    );
  });

  it('stop when one object has too many', async () => {
    for (let i = 0; i < 40; i++) record('same', `Reason${i}`);
    record('same', 'Last');
    await waitFor(async () => (await total()) >= 25, { what: 'the first 25' });
    expect(await total()).toBe(25);
  });

  it('are made anew when the one to count up is gone', async () => {
    record('once');
    await waitFor(async () => (await total()) === 1, { what: 'the event' });
    await lab.kubectl(['delete', 'events', '--all']);
    record('once');
    await waitFor(async () => (await shown())[0]?.count === 2, { what: 'it to be back' });
  });

  it('come once though the answer to the first try is lost', async () => {
    let lost = 0;
    proxy.setFault(({ method, path }) =>
      method === 'POST' && path.endsWith('/events') && lost++ === 0 ? { reset: 'after' } : undefined,
    );
    record('lost');
    await waitFor(() => lost === 2, { what: 'the second try' });
    record('next');
    await waitFor(async () => (await total()) === 2, { what: 'both' });
  });

  it('are given up and logged when nobody takes them', async () => {
    const pod = { kind: 'Pod', namespace: 'nowhere', name: 'p' };
    followed.cluster.recordEvent({ ...pod, type: 'Warning', reason: 'Bad', message: 'm' }, 'drover');
    await waitFor(() => followed.logged.find(({ message }) => message === 'an event could not be recorded'), {
      what: 'the log',
    });
    expect(followed.metric('drover_events_total', 'result=failed')).toBe(1);
  });

  it('that still wait when the end has lasted long enough are dropped, and hold up nothing', async () => {
    const ending = follow(proxy.kubeconfig, { kinds: ['Node'] });
    await waitFor(() => ending.cluster.isSynced(), { what: 'the nodes' });
    proxy.setFault(({ method }) => (method === 'POST' ? { status: 503 } : undefined));
    const draft = { kind: 'Node', name: vmi, type: 'Normal', reason: 'Waits' } as const;
    for (const message of ['one', 'two', 'three']) ending.cluster.recordEvent({ ...draft, message }, 'test');
    await ending.stop();
    await waitFor(() => ending.metric('drover_events_total', 'result=dropped') === 2, { what: 'the drop' });
  }, 30_000);
});
