import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { type FaultProxy, type ProxiedWatch, startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { type Followed, follow } from '../test-follow.ts';

/** Numbers in [0, 1) that are the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const EXPIRED = `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`;
const FAULTS: readonly ((watch: ProxiedWatch) => void)[] = [
  (watch) => watch.end(),
  (watch) => watch.reset(),
  (watch) => watch.cut(),
  (watch) => watch.stall(),
  (watch) => watch.tear(),
  (watch) => watch.inject(EXPIRED),
  (watch) => watch.inject('rubbish\n'),
];

describeLab('whatever happens, in whatever order', () => {
  let lab: Lab;
  let proxy: FaultProxy;
  let followed: Followed;

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab);
  });
  afterAll(async () => {
    await proxy?.close();
    await lab?.stop();
  });
  afterEach(() => followed?.stop());

  /** Names and versions as the server has them. */
  async function truth(): Promise<readonly string[]> {
    const { stdout } = await lab.kubectl(['get', 'namespaces', '-o', 'json']);
    const { items } = JSON.parse(stdout) as {
      items: { metadata: { name: string; resourceVersion: string } }[];
    };
    return items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
  }

  const held = (): readonly string[] =>
    [...followed.cluster.fleet.all('Namespace')]
      .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
      .sort();

  /** Creates, changes and deletes namespaces at random. */
  async function write(random: () => number): Promise<void> {
    const name = `ns-${Math.floor(random() * 12)}`;
    const path = `/api/v1/namespaces/${name}`;
    const answer = await lab.admin.call({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name } },
    });
    if (answer.ok) return;
    if (random() < 0.5) {
      const body = { metadata: { labels: { drawn: `x${Math.floor(random() * 1000)}` } } };
      await lab.admin.call({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
      return;
    }
    await lab.admin.call({ method: 'DELETE', path });
    await lab.admin.call({ method: 'PUT', path: `${path}/finalize`, body: { metadata: { name }, spec: {} } });
  }

  it.each([1, 2, 3])(
    'the fleet ends as the server, and tells a story without gaps (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      followed = follow(proxy.kubeconfig, { kinds: ['Namespace'], timing: { inactivitySeconds: 0.7 } });
      const end = Date.now() + 5_000;
      const writing = (async () => {
        while (Date.now() < end) await write(random);
      })();
      while (Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, random() * 250));
        proxy.setFault(() =>
          random() < 0.1 ? { status: 500 } : random() < 0.05 ? { reset: 'before' } : undefined,
        );
        for (const watch of proxy.watches) FAULTS[Math.floor(random() * FAULTS.length)]?.(watch);
      }
      proxy.setFault(() => undefined);
      await writing;
      // The server's own namespaces may come late, so its truth is asked for again and again. Now and then its watches say nothing of
      // what has happened for many seconds; the lists that end this take it three seconds each.
      const isAsServer = async () => expect(held()).toEqual(await truth());
      await vi.waitFor(isAsServer, { timeout: 40_000, interval: 250 });
      expectStories();
    },
  );

  /** Each object comes, changes, goes, in this order, and each time begins where the last one ended. */
  function expectStories(): void {
    const known = new Map<string, unknown>();
    for (const { key, before, after } of followed.changes) {
      expect(before).toBe(known.get(key));
      expect(before ?? after).toBeDefined();
      if (before && after)
        expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(
          Number(before.metadata.resourceVersion),
        );
      known.set(key, after);
    }
  }
});
