import { describe, expect, it } from 'vitest';
import { type Attempt, KUBEVIRT, nearest, type Race, Races } from './races.ts';

const counts: readonly Race[] = [10, 20, 30].map((at) => ({ name: `count at ${at}`, at, shownBy: KUBEVIRT }));
const ends: readonly Race[] = ['a', 'b'].map((name) => ({
  name: `end of ${name}`,
  at: 15,
  shownBy: `VirtualMachineInstance/${name}`,
}));

/** A replay that goes the recorded way where these races are turned and no others. */
function playing(...recorded: readonly string[]) {
  const played: (readonly string[])[] = [];
  const play = async (races: Races): Promise<Attempt> => {
    const wrong = [...counts, ...ends].filter(
      (race) => races.isTurned(race) !== recorded.includes(race.name),
    );
    played.push(races.turned);
    const [first = Number.POSITIVE_INFINITY] = wrong
      .filter(({ shownBy }) => shownBy === KUBEVIRT)
      .map(({ at }) => at);
    return {
      races,
      differing: [...new Set(wrong.map(({ shownBy }) => shownBy))],
      partsAt: [first, first],
    };
  };
  return { played, play };
}

describe('races', () => {
  it('go the usual way unless they are turned, and are listed as they come up', () => {
    const races = new Races(['end of a', 'never met']);
    const [a, b] = ends as [Race, Race];
    expect([races.isTurned(b), races.isTurned(a), races.isTurned({ ...b, at: 99 })]).toEqual([
      false,
      true,
      false,
    ]);
    expect(races.met).toEqual([b, a]);
    expect(races.turned).toEqual(['end of a']);
  });
});

describe('the nearest attempt', () => {
  it.each([
    ['none turned', []],
    ['one', ['count at 20']],
    ['all that show in the count', ['count at 10', 'count at 20', 'count at 30']],
    ['those of other objects', ['end of b']],
    ['of both', ['count at 30', 'end of a', 'end of b']],
  ])('has turned what the recording has turned: %s', async (_, recorded) => {
    const { races, differing } = await nearest(playing(...recorded).play);
    expect([...races.turned].sort()).toEqual(recorded);
    expect(differing).toEqual([]);
  });

  it('is the first where all agree, and no other is made', async () => {
    const { played, play } = playing();
    await nearest(play);
    expect(played).toEqual([[]]);
  });

  it('turns only races around the time at which the counts part, and only of objects that differ', async () => {
    const { played, play } = playing('count at 20');
    await nearest(play);
    expect(played).toEqual([[], ['count at 20']]);
  });

  it('turns two at once where one alone does nothing', async () => {
    const near: readonly Race[] = [1, 2, 3].map((at) => ({ name: `count ${at}`, at, shownBy: KUBEVIRT }));
    const play = async (races: Races): Promise<Attempt> => {
      const [one, two, three] = near.map((race) => races.isTurned(race));
      const agrees = one && three && !two;
      const partsAt = agrees ? Number.POSITIVE_INFINITY : 2;
      return { races, differing: agrees ? [] : [KUBEVIRT], partsAt: [partsAt, partsAt] };
    };
    expect((await nearest(play)).races.turned).toEqual(['count 1', 'count 3']);
  });

  it('takes no detour over other objects to have the count agree', async () => {
    const [race] = counts as [Race];
    const play = async (races: Races): Promise<Attempt> => {
      const isTurned = races.isTurned(race);
      return {
        races,
        differing: isTurned ? ['VirtualMachineInstance/a'] : [KUBEVIRT],
        partsAt: isTurned ? [99, 99] : [10, 10],
      };
    };
    expect((await nearest(play)).differing).toEqual([KUBEVIRT]);
  });

  it('gives up where nothing helps', async () => {
    let attempts = 0;
    const races = Array.from({ length: 40 }, (_, index) => ({ name: `${index}`, at: 1, shownBy: KUBEVIRT }));
    const { differing } = await nearest(async (met) => {
      attempts++;
      for (const race of races) met.isTurned(race);
      return { races: met, differing: [KUBEVIRT], partsAt: [1, 1] };
    });
    expect([differing, attempts]).toEqual([[KUBEVIRT], 151]);
  });
});
