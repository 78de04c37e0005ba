import type { Services } from '../cli/services.ts';
import { checkEvictions } from '../forecast/check/check.ts';
import { connect } from '../kubernetes/connect.ts';
import { Reads } from '../kubernetes/reads.ts';
import { wallClock } from '../kubernetes/wall-clock.ts';
import { Writes } from '../kubernetes/writes.ts';

/** `drover check`: nothing but reads and dry runs is sent. */
export const check: Services['check'] = async (fleet, { source, ...options }, onProgress) => {
  const api = connect({ ...source, userAgent: 'drover-check' });
  const reads = new Reads(api);
  const writes = new Writes(api, () => true);
  try {
    return await checkEvictions(
      fleet,
      {
        get: (kind, key) => reads.get(kind, key),
        evict: (call) => writes.evict({ ...call, dryRun: true }),
      },
      { ...options, clock: wallClock, onProgress },
    );
  } finally {
    await api.close();
  }
};
