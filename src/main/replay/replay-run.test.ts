import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import { recordingsIn, replayHistory } from './replays.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-record-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A run that is recorded is played again from its dump, and every object goes the same way. */
it.each(['a-maintenance-round', 'evict-only-in-time', 'worker-alone-restarts-in-place', 'a-node-fails'])(
  '%s',
  async (name) => {
    const record = join(folder, name);
    await simulate({ file: `scenarios/${name}/scenario.yaml`, snapshot: [], runs: 1, record });
    expect(recordingsIn(folder)).toContain(name);
    const { agree, differing } = await replayHistory(folder, name);
    expect(differing).toEqual([]);
    expect(agree).toBeGreaterThan(3);
  },
);
