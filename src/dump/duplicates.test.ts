import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { bytesOf, errorOf, rawList, rawNode, rawVmi } from './builders.ts';
import { DUMP_ERRORS } from './errors.ts';

const json = (value: unknown) => JSON.stringify(value);
const yaml = (value: unknown) => dump(value, { seqNoIndent: true });

describe('one object twice', () => {
  const labelled = (name: string, metadata: object) =>
    rawVmi(name, { metadata: { name, namespace: 'shop', ...metadata } });
  const cure = DUMP_ERRORS.DumpDuplicate.cure;

  it('with other content is refused, naming both places', async () => {
    const error = await errorOf([
      bytesOf('x', [rawNode('n'), rawVmi('a'), labelled('a', { labels: { x: '1' } })].map(json).join('\n')),
    ]);
    expect(error).toMatchObject({
      code: 'DumpDuplicate',
      message:
        'x: line 3, column 1, document 3 (VirtualMachineInstance shop/a): has other content than the one in x, line 2, column 1, document 2',
      cure,
    });
  });

  it('with another resourceVersion is refused across files', async () => {
    const first = labelled('a', { resourceVersion: '5' });
    const second = labelled('a', { resourceVersion: '7' });
    const error = await errorOf([
      bytesOf('x', yaml(rawList(rawVmi('b'), first))),
      bytesOf('y', json(second)),
    ]);
    expect(error.message).toBe(
      'y: line 1, column 1 (VirtualMachineInstance shop/a): has resourceVersion 7, but 5 is that of the one in x, line 8, item 2',
    );
  });

  it('with the same resourceVersion but other content is refused', async () => {
    const error = await errorOf([
      bytesOf(
        'x',
        json([labelled('a', { resourceVersion: '5' }), labelled('a', { resourceVersion: '5', uid: 'u' })]),
      ),
    ]);
    expect(error.cause).toBe('has other content than the one in x, line 1, column 2, item 1');
  });

  it('without resourceVersion once is compared by content', async () => {
    const error = await errorOf([
      bytesOf('x', json([labelled('a', { resourceVersion: '5' }), labelled('a', { uid: 'u' })])),
      bytesOf('y', json([labelled('b', { resourceVersion: '5' }), labelled('b', {})])),
    ]);
    expect(error.count).toBe(1);
  });
});
