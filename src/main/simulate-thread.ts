/** A thread of `drover simulate`: plays the seeds that it is sent, one after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../kubevirt/thrown.ts';
import { type Play, playSeed } from './simulate-play.ts';
import type { ThreadAnswer } from './simulate-threads.ts';

const play = workerData as Play;

parentPort?.on('message', async ({ seed, isFirst }: { readonly seed: number; readonly isFirst: boolean }) => {
  parentPort?.postMessage(await answerTo(seed, isFirst));
});

async function answerTo(seed: number, isFirst: boolean): Promise<ThreadAnswer> {
  try {
    return { result: await playSeed(play, seed, isFirst) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
