import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { type FaultProxy, type ProxiedWatch, startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { waitFor } from '../../lab/wait.ts';
import { type Followed, type FollowOptions, follow } from '../test-follow.ts';

function endWithinLine(open: ProxiedWatch): void {
  open.inject('{"type":"ADDED","obj');
  open.end();
}

describeLab('a reflector on a real API server', () => {
  let lab: Lab;
  let proxy: FaultProxy;
  let followed: Followed;
  let made = 0;

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab);
  });
  afterAll(async () => {
    await proxy?.close();
    await lab?.stop();
  });
  beforeEach(() => proxy.setFault(() => undefined));
  afterEach(() => followed?.stop());

  /** Follows namespaces through the proxy until they are there. */
  async function begin(options: Partial<FollowOptions> = {}): Promise<void> {
    followed = follow(proxy.kubeconfig, { kinds: ['Namespace'], ...options });
    await waitFor(() => followed.cluster.isSynced(), { what: 'the first list' });
    await watch();
  }

  const watch = (): Promise<ProxiedWatch> =>
    waitFor(() => [...proxy.watches].find(({ path }) => path === '/api/v1/namespaces'), { what: 'a watch' });
  const lists = (): number =>
    proxy.requests.filter(({ path, query }) => path === '/api/v1/namespaces' && !query.has('watch')).length;
  const ends = (reason: string): number =>
    followed.metric('drover_watch_ends_total', `kind=Namespace,reason=${reason}`);

  async function create(annotations: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = `made-${++made}`;
    const body = { metadata: { name, annotations } };
    const answer = await lab.admin.call({ method: 'POST', path: '/api/v1/namespaces', body });
    expect(answer).toMatchObject({ ok: true });
    return name;
  }

  async function remove(name: string): Promise<void> {
    await lab.admin.call({ method: 'DELETE', path: `/api/v1/namespaces/${name}` });
    const path = `/api/v1/namespaces/${name}/finalize`;
    await lab.admin.call({ method: 'PUT', path, body: { metadata: { name }, spec: {} } });
  }

  const has = (name: string): boolean => followed.cluster.fleet.get('Namespace', name) !== undefined;
  const seen = (name: string): Promise<boolean> => waitFor(() => has(name), { what: `${name} to be seen` });
  const changesOf = (name: string): readonly string[] =>
    followed.changes
      .filter(({ key }) => key === name)
      .map(({ before, after }) => (before ? (after ? 'changed' : 'gone') : 'came'));

  it('lists in pages, then follows creations, changes and deletions', async () => {
    const before = lists();
    await begin();
    expect(followed.cluster.fleet.count('Namespace')).toBeGreaterThanOrEqual(4);
    expect(lists() - before).toBe(Math.ceil(followed.cluster.fleet.count('Namespace') / 3));
    const name = await create();
    await seen(name);
    await lab.kubectl(['label', 'namespace', name, 'a=b']);
    await waitFor(() => followed.cluster.fleet.get('Namespace', name)?.metadata.labels?.a === 'b', {
      what: 'the label',
    });
    await remove(name);
    await waitFor(() => !has(name), { what: 'it to be gone' });
    expect(new Set(changesOf(name))).toEqual(new Set(['came', 'changed', 'gone']));
    expect(changesOf(name).at(0)).toBe('came');
    expect(changesOf(name).at(-1)).toBe('gone');
  });

  describe('after its watch ends, sees what happened meanwhile and later, without a new list', () => {
    const endings: readonly [string, string, (watch: ProxiedWatch) => void][] = [
      ['Closed', 'the server closes it', (open) => open.end()],
      ['Broken', 'the connection is reset', (open) => open.reset()],
      ['Broken', 'the connection is cut within an answer', (open) => open.cut()],
      ['Broken', 'it ends within a line', endWithinLine],
    ];
    it.each(endings)('%s: %s', async (reason, _, endIt) => {
      await begin();
      const before = lists();
      endIt(await watch());
      const meanwhile = await create();
      await seen(meanwhile);
      const later = await create();
      await seen(later);
      expect(lists()).toBe(before);
      expect(ends(reason)).toBeGreaterThanOrEqual(1);
      expect(changesOf(meanwhile)).toEqual(['came']);
    });

    it('Stalled: nothing comes any more, and nobody says so', async () => {
      await begin({ timing: { inactivitySeconds: 1.5 } });
      (await watch()).stall();
      const name = await create();
      await seen(name);
      expect(ends('Stalled')).toBeGreaterThanOrEqual(1);
    });
  });

  describe('after what cannot be trusted any more, lists anew', () => {
    const expired = {
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' },
    };
    it.each([
      ['Expired', 'an ERROR event with 410', `${JSON.stringify(expired)}\n`],
      ['BadLine', 'a line of rubbish', 'no JSON at all\n'],
      ['BadLine', 'an event without an object', '{"type":"ADDED"}\n'],
      [
        'BadLine',
        'an event of no known type',
        '{"type":"RENAMED","object":{"metadata":{"resourceVersion":"1"}}}\n',
      ],
      ['BadLine', 'bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x0a])],
    ])('%s: %s', async (reason, _, bytes) => {
      await begin();
      const before = lists();
      (await watch()).inject(bytes);
      await waitFor(() => ends(reason) === 1, { what: 'the watch to be given up' });
      const name = await create();
      await seen(name);
      expect(lists()).toBeGreaterThan(before);
    });

    it('Silent: watches are opened and say nothing, as those of a server whose cache is behind', async () => {
      await begin({ timing: { inactivitySeconds: 0.5 } });
      await watch();
      proxy.setFault(({ query }) => (query.has('watch') ? { silent: true } : undefined));
      (await watch()).end();
      const name = await create();
      await seen(name);
      expect(ends('Silent')).toBeGreaterThanOrEqual(1);
      proxy.setFault(() => undefined);
    });

    it('notices what went away while nothing was heard', async () => {
      const [gone, kept] = [await create(), await create()];
      await begin({ timing: { inactivitySeconds: 60 } });
      await seen(gone);
      (await watch()).stall();
      await remove(gone);
      (await watch()).inject(`${JSON.stringify(expired)}\n`);
      await waitFor(() => !has(gone), { what: 'it to be gone' });
      expect(has(kept)).toBe(true);
      expect(changesOf(gone)).toEqual(['came', 'gone']);
      expect(changesOf(kept)).toEqual(['came']);
    });

    it('tells an end and a beginning of an object that was made anew under its name', async () => {
      const name = await create();
      await begin({ timing: { inactivitySeconds: 60 } });
      const first = followed.cluster.fleet.get('Namespace', name)?.metadata.uid;
      (await watch()).stall();
      await remove(name);
      await lab.admin.call({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
      (await watch()).inject(`${JSON.stringify(expired)}\n`);
      await waitFor(() => changesOf(name).length === 3, { what: 'three changes' });
      expect(changesOf(name)).toEqual(['came', 'gone', 'came']);
      expect(followed.cluster.fleet.get('Namespace', name)?.metadata.uid).not.toBe(first);
    });
  });

  it('reads characters that arrive in pieces, and line ends that are none', async () => {
    await begin();
    (await watch()).tear();
    const odd = 'żółw 🐄 one\u2028two\u2029three\u0085four';
    const name = await create({ 'kubevirt.io/odd': odd });
    await seen(name);
    expect(followed.cluster.fleet.get('Namespace', name)?.metadata.annotations).toEqual({
      'kubevirt.io/odd': odd,
    });
    expect(ends('BadLine')).toBe(0);
  });

  it('begins a list anew that the server forgot between two pages', async () => {
    let times = 0;
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'the continue token expired' };
    proxy.setFault(({ query }) =>
      query.has('continue') && times++ < 1 ? { status: 410, body: JSON.stringify(status) } : undefined,
    );
    await begin();
    const all = await lab.kubectl(['get', 'namespaces', '-o', 'name']);
    expect(followed.cluster.fleet.count('Namespace')).toBe(all.stdout.trim().split('\n').length);
    expect(times).toBeGreaterThan(1);
  });

  it('asks for the whole list when it is forgotten again and again', async () => {
    proxy.setFault(({ query }) => (query.has('continue') ? { status: 410, body: '' } : undefined));
    await begin();
    expect(proxy.requests.at(-2)?.query.has('limit')).toBe(false);
    expect(followed.cluster.fleet.count('Namespace')).toBeGreaterThan(3);
  });

  it('asks ever less often in a storm of 500s, is not synced in it, and recovers', async () => {
    await begin();
    proxy.setFault(() => ({ status: 500, body: 'internal error' }));
    (await watch()).reset();
    const before = proxy.requests.length;
    await waitFor(() => !followed.cluster.isSynced(), { what: 'the cache to be stale' });
    expect(proxy.requests.length - before).toBeLessThan(20);
    expect(followed.cluster.standings().get('Namespace')).toMatchObject({
      problem: 'internal error',
      watching: false,
    });
    proxy.setFault(() => undefined);
    await seen(await create());
    // The list brings the object before the watch behind it is open.
    await waitFor(() => followed.cluster.isSynced(), { what: 'the cache to be synced' });
  });

  it('waits as long as the server asks', async () => {
    await begin();
    let refusedAt = 0;
    proxy.setFault(({ query }) => {
      if (!query.has('watch') || refusedAt > 0) return undefined;
      refusedAt = Date.now();
      return { status: 429, headers: { 'retry-after': '2' }, body: 'busy' };
    });
    (await watch()).end();
    await waitFor(() => refusedAt > 0 && [...proxy.watches].length > 0, { what: 'the next watch' });
    expect(Date.now() - refusedAt).toBeGreaterThanOrEqual(2_000);
  });

  it('bears a slow server, and one that does not answer in time', async () => {
    proxy.setFault(() => ({ delaySeconds: 0.3 }));
    await begin();
    let slow = 0;
    proxy.setFault(({ query }) => (query.has('watch') && slow++ === 0 ? { delaySeconds: 3 } : undefined));
    await followed.stop();
    await begin({ requestTimeoutSeconds: 1 });
    expect(followed.logged).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ problem: 'no answer within 1s' }) }),
    );
    await seen(await create());
  });

  it('tells how old the cache is', async () => {
    await begin();
    expect(followed.cluster.standings().get('Namespace')?.confirmedAt).toBeGreaterThan(Date.now() - 20_000);
  });
});
