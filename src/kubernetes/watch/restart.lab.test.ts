import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { type FaultProxy, startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { waitFor } from '../../lab/wait.ts';
import { type Followed, type FollowOptions, follow } from '../test-follow.ts';

let followed: Followed;

async function begin(kubeconfig: string, options: Partial<FollowOptions> = {}): Promise<void> {
  followed = follow(kubeconfig, { kinds: ['Namespace', 'Pod', 'PersistentVolume'], ...options });
  await waitFor(() => followed.cluster.isSynced(), { what: 'the first lists' });
}

const ends = (reason: string): number =>
  followed.metric('drover_watch_ends_total', `kind=Namespace,reason=${reason}`);
const names = (): readonly string[] =>
  [...followed.cluster.fleet.all('Namespace')].map(({ metadata }) => metadata.name);

async function create(lab: Lab, name: string): Promise<void> {
  const answer = await lab.admin.call({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name } },
  });
  expect(answer).toMatchObject({ ok: true });
}

async function remove(lab: Lab, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${name}`;
  await lab.admin.call({ method: 'DELETE', path });
  await lab.admin.call({ method: 'PUT', path: `${path}/finalize`, body: { metadata: { name }, spec: {} } });
}

describeLab('when the API server itself fails', () => {
  let lab: Lab;
  let proxy: FaultProxy;

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab);
  });
  afterAll(async () => {
    await proxy?.close();
    await lab?.stop();
  });
  afterEach(() => followed?.stop());

  it('goes on after a crash and a restart, and is not synced in between', async () => {
    await begin(lab.kubeconfig);
    await lab.killApiServer();
    await waitFor(() => !followed.cluster.isSynced(), { what: 'the cache to be stale' });
    await lab.restartApiServer();
    await create(lab, 'after-crash');
    await waitFor(() => names().includes('after-crash'), { what: 'what came after' });
    await waitFor(() => followed.cluster.isSynced(), { what: 'all kinds to be there again' });
    expect(followed.changes.filter(({ key }) => key === 'default')).toHaveLength(1);
  });

  it('lists anew when the restarted server has forgotten its version, and so notices what went away', async () => {
    await create(lab, 'goes');
    await begin(proxy.kubeconfig, { timing: { staleSeconds: 60 } });
    await waitFor(() => names().includes('goes'), { what: 'it to be there' });
    // A watch that the server has not answered yet would escape the reset, and live on.
    await waitFor(() => proxy.watches.size === 3, { what: 'a watch of each kind' });
    proxy.setFault(() => ({ reset: 'before' }));
    for (const watch of proxy.watches) watch.reset();
    await remove(lab, 'goes');
    await create(lab, 'came');
    await lab.killApiServer();
    await lab.restartApiServer();
    await create(lab, 'came-later');
    expect(names()).toContain('goes');
    proxy.setFault(() => undefined);
    await waitFor(() => !names().includes('goes'), { what: 'it to be gone' });
    expect(names()).toEqual(expect.arrayContaining(['came', 'came-later']));
    expect(ends('Expired')).toBe(1);
  });

  it('bears an etcd that hangs', async () => {
    await begin(lab.kubeconfig);
    lab.etcd.pause();
    setTimeout(() => lab.etcd.resume(), 3_000);
    await create(lab, 'after-hang');
    await waitFor(() => names().includes('after-hang'), { what: 'what was created in between' });
  });
});

describeLab('when etcd forgets', () => {
  let lab: Lab;
  let proxy: FaultProxy;

  beforeAll(async () => {
    lab = await startLab({ apiServerFlags: ['--watch-cache=false', '--etcd-compaction-interval=500ms'] });
    proxy = await startFaultProxy(lab);
  });
  afterAll(async () => {
    await proxy?.close();
    await lab?.stop();
  });
  afterEach(() => followed?.stop());

  it('starts a list anew whose next page the server cannot give any more', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(lab, name);
    let late = 0;
    let writes = 0;
    proxy.setFault(({ query }) => (query.has('continue') && late++ === 0 ? { delaySeconds: 4 } : undefined));
    const writing = setInterval(() => void create(lab, `busy-${writes++}`), 200);
    await begin(proxy.kubeconfig, { kinds: ['Namespace'] });
    clearInterval(writing);
    const restarts = proxy.requests.filter(({ query }) => query.has('limit') && !query.has('continue'));
    expect(restarts.length).toBe(2);
    expect(names()).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd', 'busy-0']));
  });
});
