import { once } from 'node:events';
import { FLEET_FORMATS, type FleetFormat, fleetText } from '../bench/fleet-text.ts';
import { countOf, refuse, scriptFlags } from '../src/main/script-flags.ts';

const USAGE = `usage: npm run fleet -- --vms NUMBER [flags]

Writes a made-up fleet to stdout. The same arguments give the same bytes.

  --vms NUMBER         How many VMs
  --seed NUMBER        Another fleet (default 1)
  --format FORMAT      ${FLEET_FORMATS.join(', ')} (default list)
  --outdated PERCENT   VMs with an old launcher (default 40)`;

const { values } = scriptFlags(USAGE, {
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

await write();

async function write(): Promise<void> {
  const recipe = {
    vms:
      values.vms === undefined ? refuse(USAGE, 'say how many: --vms N') : countOf(USAGE, 'vms', values.vms),
    seed: countOf(USAGE, 'seed', values.seed),
    outdatedPercent: percentOf(values.outdated),
  };
  for (const text of fleetText(recipe, formatOf(values.format))) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
}

function percentOf(text: string): number {
  const percent = Number(text);
  return percent >= 0 && percent <= 100
    ? percent
    : refuse(USAGE, `--outdated takes a percentage, not "${text}"`);
}

function formatOf(text: string): FleetFormat {
  const format = FLEET_FORMATS.find((known) => known === text);
  return format ?? refuse(USAGE, `--format takes ${FLEET_FORMATS.join(', ')}, not "${text}"`);
}
