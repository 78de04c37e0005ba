import { describe, expect, it } from 'vitest';
import { runCli, words } from './builders.ts';

describe('drover controller', () => {
  const election = {
    enabled: true,
    namespace: 'drover-system',
    name: 'drover-controller',
    leaseDurationSeconds: 15,
    renewDeadlineSeconds: 10,
    retryPeriodSeconds: 2,
  };
  const byDefault = {
    source: { context: undefined, kubeconfig: undefined, requestTimeoutSeconds: 30 },
    behavior: 'intended',
    controllers: ['workload-update', 'evacuation'],
    strategy: 'kubevirt',
    launcherImage: undefined,
    election,
    bindAddress: '0.0.0.0',
    metricsPort: 8080,
    certificate: undefined,
    metricsAuth: false,
    diagnostics: false,
    journal: undefined,
    dryRun: false,
    logLevel: 'info',
  };

  it.each<[string, object]>([
    ['', {}],
    ['--strategy-from-file s.yaml', { strategy: { file: 's.yaml' }, controllers: ['workload-update'] }],
    [
      '--strategy-from-configmap a/b --controllers evacuation,workload-update',
      { strategy: { configMap: { namespace: 'a', name: 'b' } } },
    ],
    ['--controllers evacuation', { controllers: ['evacuation'] }],
    [
      '--context x --kubeconfig y --request-timeout 5s --behavior exact',
      { source: { context: 'x', kubeconfig: 'y', requestTimeoutSeconds: 5 }, behavior: 'exact' },
    ],
    ['--no-leader-elect', { election: { ...election, enabled: false } }],
    ['--leader-elect=false', { election: { ...election, enabled: false } }],
    [
      '--leader-elect --leader-elect-lease-duration 3s --leader-elect-renew-deadline 2s --leader-elect-retry-period 500ms --leader-elect-resource-namespace a --leader-elect-resource-name b',
      {
        election: {
          ...election,
          namespace: 'a',
          name: 'b',
          leaseDurationSeconds: 3,
          renewDeadlineSeconds: 2,
          retryPeriodSeconds: 0.5,
        },
      },
    ],
    [
      '--launcher-image reg/virt-launcher:v2 --journal - --dry-run --log-level debug',
      { launcherImage: 'reg/virt-launcher:v2', journal: '-', dryRun: true, logLevel: 'debug' },
    ],
    [
      '--bind-address ::1 --metrics-port 0 --tls-cert c --tls-key k --metrics-auth --diagnostics',
      {
        bindAddress: '::1',
        metricsPort: 0,
        certificate: { certificateFile: 'c', keyFile: 'k' },
        metricsAuth: true,
        diagnostics: true,
      },
    ],
  ])('%s', async (line, expected) => {
    const { asked, code, stdout, stderr } = await runCli(['controller', ...words(line)]);
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    expect(asked).toEqual([
      { name: 'controller', question: { ...byDefault, ...expected }, options: undefined },
    ]);
  });

  it.each([
    [
      '--strategy-from-file a --strategy-from-configmap b/c',
      'give one of --strategy-from-file and --strategy-from-configmap',
    ],
    ['--tls-cert a', '--tls-cert and --tls-key go together'],
    ['--tls-key a', '--tls-cert and --tls-key go together'],
    ['--request-timeout 31s', 'it must be above 0 and at most 30s'],
    ['--request-timeout 0', 'it must be above 0 and at most 30s'],
    ['--controllers evict', '"evict" is not one of workload-update, evacuation'],
    [
      '--leader-elect-lease-duration 10s',
      '--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline',
    ],
    ['--leader-elect-lease-duration 15500ms', '--leader-elect-lease-duration must be whole seconds'],
    ['--leader-elect-retry-period 9s', 'must be longer than 1.2 times --leader-elect-retry-period'],
    ['--leader-elect-retry-period 0', 'which must be above 0'],
  ])('%s is refused', async (line, message) => {
    const { code, asked, stderr } = await runCli(['controller', ...words(line)]);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain(message);
    expect(stderr).toContain('(WrongFlags)');
  });
});
