import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../../kubevirt/builders.ts';
import { hostModelAlert } from './host-model-alert.ts';

const MODEL = 'cpu-model-migration.node.kubevirt.io/Skylake';
const FEATURE = 'cpu-feature.node.kubevirt.io/avx';
const hostModel = () =>
  aVmi()
    .on('n1')
    .spec({ domain: { cpu: { model: 'host-model' } } });
const target = () =>
  aPod('target')
    .spec({ nodeSelector: { [MODEL]: 'true', [FEATURE]: 'true', disk: 'ssd' } })
    .build();
const fitting = (name: string) => aNode(name).labelled(MODEL, 'true').labelled(FEATURE, 'true').build();

describe('the alert for a guest with the CPU of its host', () => {
  it('is given when no other node has that CPU', () => {
    const nodes = [fitting('n1'), aNode('n2').labelled(MODEL, 'true').build()];
    expect(hostModelAlert(hostModel().build(), target(), nodes)).toEqual({
      kind: 'VirtualMachineInstance',
      namespace: 'shop',
      name: 'db',
      type: 'Warning',
      reason: 'NoSuitableNodesForHostModelMigration',
      message:
        'Migration cannot proceed since no node is suitable to run the required CPU model / required features: ' +
        `map[${FEATURE}:true ${MODEL}:true]`,
    });
  });

  it('is not given when one has, whatever else keeps the pod off', () => {
    expect(hostModelAlert(hostModel().build(), target(), [fitting('n1'), fitting('n2')])).toBeUndefined();
  });

  it('needs the same value of the label', () => {
    const other = aNode('n2').labelled(MODEL, 'false').labelled(FEATURE, 'true').build();
    expect(hostModelAlert(hostModel().build(), target(), [other])?.type).toBe('Warning');
  });

  it('is given when there is no other node at all', () => {
    const plain = aPod('target').build();
    expect(hostModelAlert(hostModel().build(), plain, [])?.message).toContain('features: map[]');
    expect(hostModelAlert(hostModel().build(), plain, [aNode('n2').build()])).toBeUndefined();
  });

  it('does not concern other CPU models', () => {
    expect(hostModelAlert(aVmi().on('n1').build(), target(), [])).toBeUndefined();
    const named = aVmi().spec({ domain: { cpu: { model: 'Skylake' } } });
    expect(hostModelAlert(named.build(), target(), [])).toBeUndefined();
  });
});
