/** What an API server keeps beside an object: who last wrote which field. Nobody reads it here, but dumps are full of it. */
export function managedFields(manager: string, time: string, apiVersion: string, written: object): object {
  return {
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsOf(written),
    manager,
    operation: 'Update',
    time,
  };
}

function fieldsOf(value: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    fields[`f:${key.replaceAll('/', '~1')}`] = isPlain(member) ? { '.': {}, ...fieldsOf(member) } : {};
  }
  return fields;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
