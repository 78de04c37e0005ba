/** What the controller changes in objects that others write to as well. Each leaves alone what is not its own. */
import type { HandOff } from '../../../decide/migration/hand-off.ts';
import { ANNOTATION, LABEL } from '../../../kubevirt/names.ts';
import type { Migration, MigrationState, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { extended } from '../../../kubevirt/shapes.ts';

/** By this label others find the migrations of a VMI; the webhook puts it there unless the migration is older than that. */
export function withVmiLabel(migration: Migration): Migration | undefined {
  const { labels } = migration.metadata;
  const name = migration.spec?.vmiName ?? '';
  if (labels?.[LABEL.vmiName] !== undefined) return undefined;
  return { ...migration, metadata: { ...migration.metadata, labels: { ...labels, [LABEL.vmiName]: name } } };
}

export function withStatus(status: Migration['status']): (migration: Migration) => Migration {
  return (migration) => extended(migration, { status: { ...migration.status, ...status } });
}

/** The VMI with user and mark as in the other; nothing where it is another VMI of the same name. */
export function withUserOf(prepared: Vmi): (vmi: Vmi) => Vmi | undefined {
  return (vmi) => {
    if (vmi.metadata.uid !== prepared.metadata.uid) return undefined;
    const { [ANNOTATION.nonRoot]: _, ...annotations } = vmi.metadata.annotations ?? {};
    const mark = prepared.metadata.annotations?.[ANNOTATION.nonRoot];
    return {
      ...vmi,
      metadata: extended(vmi.metadata, {
        annotations: mark === undefined ? annotations : extended(annotations, { [ANNOTATION.nonRoot]: mark }),
      }),
      status: extended(vmi.status ?? {}, { runtimeUser: prepared.status?.runtimeUser }),
    };
  };
}

/** The VMI handed over to the nodes, with user and mark as in `prepared`; nothing where it is another VMI of the same name. */
export function handedOff(
  prepared: Vmi,
  { labels, migrationState }: Exclude<HandOff, { error: string }>,
): (vmi: Vmi) => Vmi | undefined {
  const withUser = withUserOf(prepared);
  return (held) => {
    const vmi = withUser(held);
    return (
      vmi && {
        ...vmi,
        metadata: { ...vmi.metadata, labels: extended(vmi.metadata.labels ?? {}, labels) },
        status: extended(vmi.status ?? {}, { migrationState }),
      }
    );
  };
}

/**
 * The VMI's account of the migration with what is new in `next` over `seen`; what the nodes have written meanwhile stays.
 * Nothing where the account is of another migration, or says that this one is over.
 */
export function withAccount(
  seen: MigrationState | undefined,
  next: MigrationState,
): (vmi: Vmi) => Vmi | undefined {
  const news = Object.fromEntries(
    Object.entries(next).filter(([name, value]) => seen?.[name as keyof MigrationState] !== value),
  );
  return (vmi) => {
    const held = vmi.status?.migrationState;
    if (held?.migrationUid !== next.migrationUid || held?.completed) return undefined;
    return { ...vmi, status: { ...vmi.status, migrationState: { ...held, ...news } } };
  };
}

export function withTargetReady(text: string): (pod: Pod) => Pod {
  return (pod) => ({
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: extended(pod.metadata.annotations ?? {}, { [ANNOTATION.migrationTargetReady]: text }),
    },
  });
}
