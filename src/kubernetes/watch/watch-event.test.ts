import { describe, expect, it } from 'vitest';
import { BadLine } from './byte-lines.ts';
import { readWatchEvent } from './watch-event.ts';

const metadata = { name: 'a', resourceVersion: '7' };

describe('a line of a watch', () => {
  it.each(['ADDED', 'MODIFIED', 'DELETED'])('%s: an object and its version', (type) => {
    expect(readWatchEvent(JSON.stringify({ type, object: { metadata } }))).toEqual({
      type,
      object: { metadata },
      version: '7',
    });
  });

  it('BOOKMARK: a version', () => {
    const line = JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', metadata } });
    expect(readWatchEvent(line)).toEqual({ type: 'BOOKMARK', version: '7' });
  });

  it('ERROR: a refusal', () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'old' };
    expect(readWatchEvent(JSON.stringify({ type: 'ERROR', object: status }))).toEqual({
      type: 'ERROR',
      failure: { ok: false, code: 410, reason: 'Expired', message: 'old', retryAfterSeconds: undefined },
    });
  });

  it.each([
    ['no JSON', '{"type":'],
    ['a number', '5'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no object', '{"type":"ADDED"}'],
    ['a list for an object', '{"type":"ADDED","object":[]}'],
    ['no version', '{"type":"ADDED","object":{"metadata":{}}}'],
    ['an empty version', '{"type":"ADDED","object":{"metadata":{"resourceVersion":""}}}'],
    ['an unknown type', `{"type":"MOVED","object":{"metadata":{"resourceVersion":"1"}}}`],
    ['an error that is no Status', '{"type":"ERROR","object":{"kind":"Pod"}}'],
  ])('is bad with %s', (_, line) => {
    expect(() => readWatchEvent(line)).toThrow(new BadLine(`a line is no watch event: ${line}`));
  });
});
