/**
 * Writes a made-up fleet to stdout: `npm run fleet -- --vms 6000 [--seed 1] [--format list|jsonl|yaml] [--outdated 40]`.
 * The same arguments give the same bytes.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { FLEET_FORMATS, type FleetFormat, fleetText } from '../bench/fleet-text.ts';

const { values } = parseArgs({
  options: {
    vms: { type: 'string' },
    seed: { type: 'string', default: '1' },
    format: { type: 'string', default: 'list' },
    outdated: { type: 'string', default: '40' },
  },
});

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const wrong = complaint();
if (wrong) {
  process.stderr.write(`fleet: ${wrong}\n`);
  process.exitCode = 2;
} else {
  await write();
}

async function write(): Promise<void> {
  const recipe = {
    vms: Number(values.vms),
    seed: Number(values.seed),
    outdatedPercent: Number(values.outdated),
  };
  for (const text of fleetText(recipe, values.format as FleetFormat)) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
}

function complaint(): string | undefined {
  if (!/^\d+$/.test(values.vms ?? '')) return 'say how many: --vms N';
  if (!/^\d+$/.test(values.seed)) return '--seed takes a whole number';
  if (!(Number(values.outdated) >= 0 && Number(values.outdated) <= 100))
    return '--outdated takes a percentage';
  return (FLEET_FORMATS as readonly string[]).includes(values.format)
    ? undefined
    : `--format takes ${FLEET_FORMATS.join(', ')}`;
}
