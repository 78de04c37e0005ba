import { beforeAll, describe, expect, it } from 'vitest';
import { beginningOfScenario } from '../rehearsal/beginning/prepare.ts';
import { learns } from '../rehearsal/test-classes.ts';
import { scenarioSchema } from '../scenario/schema.ts';
import { receivedPlay, sentPlay } from './sent-play.ts';
import type { Play } from './simulate-play.ts';

describe('a play with thousands of VMs on its way to a thread', () => {
  let play: Play;

  beforeAll(() => {
    const scenario = scenarioSchema.parse({ title: 'many', cluster: { fleet: { nodes: 2, vms: 3_000 } } });
    play = { scenario, beginning: beginningOfScenario(scenario) };
  });

  it('arrives as it was', () => {
    expect(receivedPlay(structuredClone(sentPlay(play)))).toEqual(play);
  });

  it('does not give each object there a class of its own', () => {
    expect(learns('with the play')).toBe(true);
  });

  it('would, as it is', () => {
    structuredClone(play);
    expect(learns('too late')).toBe(false);
  });
});
