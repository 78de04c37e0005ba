/** A thread of `drover simulate`: plays the seeds that it is sent, one after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../kubevirt/thrown.ts';
import type { OnCourse } from '../rehearsal/how-far.ts';
import { receivedPlay } from './sent-play.ts';
import { playSeed } from './simulate-play.ts';
import type { ThreadData, ThreadMessage } from './simulate-threads.ts';

/** How often it says how far it is. */
const COURSE_MS = 200;

const { play: sent, watched } = workerData as ThreadData;
const play = receivedPlay(sent);
const say = (message: ThreadMessage): void => parentPort?.postMessage(message);
let saidAt = 0;

const onCourse: OnCourse = (look) => {
  const now = performance.now();
  if (now - saidAt < COURSE_MS) return;
  saidAt = now;
  say({ howFar: look() });
};

parentPort?.on('message', async ({ seed, isFirst }: { readonly seed: number; readonly isFirst: boolean }) => {
  say(await answerTo(seed, isFirst));
});

async function answerTo(seed: number, isFirst: boolean): Promise<ThreadMessage> {
  try {
    return { result: await playSeed(play, seed, isFirst, watched ? onCourse : undefined) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
