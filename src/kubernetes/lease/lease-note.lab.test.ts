import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import { type Lab, startLab } from '../../lab/lab.ts';
import { connect } from '../connect.ts';
import { whoAmI } from '../who-am-i.ts';
import { LeaseNote } from './lease-note.ts';

describeLab('a note on a lease of a real API server', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
  });
  afterAll(() => lab?.stop());

  const noteOf = (name: string, api = lab.admin) =>
    new LeaseNote({ api, namespace: 'default', name, annotation: 'drover.dev/note' });

  it('is there for the next process, and leaves the rest of the lease alone', async () => {
    const first = noteOf('drover');
    await first.load();
    expect(first.read()).toBeUndefined();
    expect(await first.write('one')).toEqual({ ok: true, name: 'drover' });
    await lab.kubectl(['annotate', 'lease', 'drover', 'by=others']);
    expect(await first.write('two')).toEqual({ ok: true, name: 'drover' });
    expect(first.read()).toBe('two');
    const second = noteOf('drover');
    await second.load();
    expect(second.read()).toBe('two');
    const { stdout } = await lab.kubectl([
      'get',
      'lease',
      'drover',
      '-o',
      'jsonpath={.metadata.annotations}',
    ]);
    expect(JSON.parse(stdout)).toEqual({ by: 'others', 'drover.dev/note': 'two' });
  });

  it('is unknown, not absent, where it may not be read or written', async () => {
    const api = connect({ kubeconfig: await lab.kubeconfigForAccount('default/poor') });
    const note = noteOf('drover', api);
    await expect(note.load()).rejects.toThrow('cannot read the Lease drover: leases.coordination.k8s.io');
    expect(await note.write('x')).toMatchObject({ ok: false, code: 403 });
    expect(note.read()).toBeUndefined();
    await api.close();
  });

  it('knows by what name the API server knows the client', async () => {
    const api = connect({ kubeconfig: await lab.kubeconfigForAccount('kubevirt/kubevirt-controller') });
    expect(await whoAmI(api)).toBe('system:serviceaccount:kubevirt:kubevirt-controller');
    await api.close();
    const away = connect({ kubeconfig: await lab.kubeconfigFor({ user: 'x' }, 'https://127.0.0.1:1') });
    expect(await whoAmI(away)).toBeUndefined();
    await away.close();
  });
});
