import { describe, expect, it } from 'vitest';
import { NAMESPACE, type Trial } from './test-trial.ts';

/** What the contract says of evictions. */
export function describeEvictions(trial: Trial): void {
  const { make, newName, patchStatus, read } = trial;

  describe('an eviction', () => {
    const evict = (pod: string, dryRun = false) =>
      trial.cluster.evict({ namespace: NAMESPACE, pod, body: evictionOf(pod), dryRun });

    async function pod(phase?: string, node?: string, app?: string): Promise<string> {
      const labels = { app: app ?? 'free' };
      const spec = { nodeName: node, containers: [{ name: 'c', image: 'x' }] };
      const name = await make('Pod', { metadata: { labels }, spec });
      const conditions = [{ type: 'Ready', status: 'True' }];
      if (phase) expect(await patchStatus('Pod', name, { phase, conditions })).toMatchObject({ ok: true });
      return name;
    }

    /** A budget that wants all of the pods with a label of its own, and the label. */
    async function budget(): Promise<string> {
      const app = newName();
      const spec = { minAvailable: 1, selector: { matchLabels: { app } } };
      const name = await make('PodDisruptionBudget', { spec });
      const status = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
      await patchStatus('PodDisruptionBudget', name, { ...status, observedGeneration: 1 });
      return app;
    }

    it('takes a pod away at once that no kubelet runs', async () => {
      const name = await pod();
      expect(await evict(name)).toEqual({ ok: true, name });
      expect(await read('Pod', name)).toBeUndefined();
    });

    it('gives a running pod its time, and is not needed twice', async () => {
      const name = await pod('Running', 'n1');
      expect(await evict(name)).toEqual({ ok: true, name });
      expect(await read('Pod', name)).toMatchObject({
        metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 30 },
      });
      expect(await evict(name)).toEqual({ ok: true, name });
    });

    it('does nothing on a dry run', async () => {
      const name = await pod();
      expect(await evict(name, true)).toEqual({ ok: true, name });
      expect(await read('Pod', name)).not.toHaveProperty('metadata.deletionTimestamp');
    });

    it('finds no pod', async () => {
      expect(await evict('nobody')).toMatchObject({
        ok: false,
        code: 404,
        reason: 'NotFound',
        message: 'pods "nobody" not found',
      });
    });

    it('must name the pod that it is sent to', async () => {
      const body = evictionOf('other');
      const result = await trial.cluster.evict({ namespace: NAMESPACE, pod: await pod(), body });
      expect(result).toMatchObject({
        ok: false,
        code: 400,
        message: 'name in URL does not match name in Eviction object',
      });
    });

    it.each([false, true])('is refused by a budget that has none to spare (dry run: %s)', async (dryRun) => {
      const name = await pod('Running', 'n1', await budget());
      expect(await evict(name, dryRun)).toEqual({
        ok: false,
        code: 429,
        reason: 'TooManyRequests',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
      });
      expect(await read('Pod', name)).not.toHaveProperty('metadata.deletionTimestamp');
    });

    it.each(['Succeeded', 'Failed', 'Pending'])(
      'is not refused by a budget for a pod in %s',
      async (phase) => {
        const name = await pod(phase, 'n1', await budget());
        expect(await evict(name)).toEqual({ ok: true, name });
      },
    );

    it('fails where two budgets select the pod', async () => {
      const app = await budget();
      await make('PodDisruptionBudget', { spec: { minAvailable: 1, selector: { matchLabels: { app } } } });
      expect(await evict(await pod('Running', 'n1', app))).toMatchObject({
        ok: false,
        code: 500,
        message:
          'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      });
    });
  });
}

function evictionOf(name: string): object {
  return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
}
