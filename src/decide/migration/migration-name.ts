import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { newestFirst } from '../../kubevirt/order.ts';
import { isMigrationFinal } from '../../kubevirt/predicates.ts';
import { nameUuid } from '../../kubevirt/uuid.ts';

/** UUID of nothing but these names. */
const NAMES = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
const LENGTH = 16;

/**
 * The name that the next migration of a VMI gets instead of one that the API server makes up.
 *
 * Promise: the prefix and 16 hexadecimal digits. The same picture gives the same name, so that a creation that is repeated
 * (its answer was lost, the cache lags, another process has taken over) meets the first one and is refused. As soon as
 * the latest migration is seen to have ended, there is another name; never that of an ended migration in the picture.
 * `migrations` are those of the VMI, in any order, ended ones too.
 */
export function migrationName(prefix: string, vmi: Vmi, migrations: readonly Migration[]): string {
  const ended = migrations.filter(isMigrationFinal);
  const latest = [...ended].sort(newestFirst)[0]?.metadata.uid ?? '';
  const taken = new Set(ended.map(({ metadata }) => metadata.name));
  for (let attempt = 0; ; attempt++) {
    const name = `${prefix}${digest(`${vmi.metadata.uid}/${latest}/${attempt}`)}`;
    if (!taken.has(name)) return name;
  }
}

function digest(text: string): string {
  return nameUuid(NAMES, text).replaceAll('-', '').slice(0, LENGTH);
}
