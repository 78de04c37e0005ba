import { expect, it } from 'vitest';
import { jsonLog } from './log.ts';

it('writes a line of JSON for each message at or above the level', () => {
  const lines: string[] = [];
  const log = jsonLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  log.write('debug', 'too low');
  log.write('info', 'refused', { name: 'db', evidence: [{ path: 'a' }] });
  log.write('error', 'bare');
  const [first, second, ...more] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    name: 'db',
    evidence: [{ path: 'a' }],
    msg: 'refused',
  });
  expect(second).toMatchObject({ level: 'error', msg: 'bare' });
  expect(more).toEqual([]);
});
