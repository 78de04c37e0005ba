import { expect, it } from 'vitest';
import { ControllerProcess } from './controller-process.ts';

function begin() {
  const told: string[] = [];
  let now = 0;
  const process = new ControllerProcess({
    clock: { now: () => now++ },
    launcherImage: 'L1',
    controllers: () => [
      {
        start: () => void told.push(`start ${process.launcherImage}`),
        stop: async () => void told.push('stop'),
      },
    ],
  });
  return { process, told };
}

it('of several who have stopped it the last one starts it, once, with the image that was named last', async () => {
  const { process, told } = begin();
  process.start();
  await process.stop();
  await process.stop();
  process.start('L2');
  expect(told).toEqual(['start L1', 'stop']);
  process.start();
  expect(told).toEqual(['start L1', 'stop', 'start L2']);
});

it('goes on with another image, and says since when', async () => {
  const { process, told } = begin();
  process.start();
  const before = process.since;
  await process.restart('L2');
  expect(told).toEqual(['start L1', 'stop', 'start L2']);
  expect(process.since).toBeGreaterThan(before);
});

it('does not begin anew for somebody who had stopped it before it was stopped for good', async () => {
  const { process, told } = begin();
  process.start();
  await process.stop();
  await process.stop();
  process.start();
  expect(told).toEqual(['start L1', 'stop']);
});
