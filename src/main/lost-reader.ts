/** Nobody reads the output any more: a pipe was closed (`| head`), or a terminal. */
const LOST: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/**
 * That is no error: what was read was enough. Who waits to be asked to end is asked, so that nothing is left behind; everybody else
 * ends at once, by `exit`.
 */
export function endWithoutReader(
  streams: readonly NodeJS.EventEmitter[],
  asked: NodeJS.EventEmitter,
  exit: () => void,
): void {
  let isLost = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (!LOST.has(error.code)) throw error;
    if (isLost) return;
    isLost = true;
    if (!asked.emit('SIGTERM', 'SIGTERM')) exit();
  };
  for (const stream of streams) stream.on('error', onError);
}
