const KINDS: ReadonlySet<string> = new Set([
  'vm',
  'vmi',
  'vms',
  'vmis',
  'virtualmachine',
  'virtualmachineinstance',
  'virtualmachines',
  'virtualmachineinstances',
]);

/**
 * The `namespace/name` of a VM, from every way in which one names it: `shop/db-0`, `vmi/shop/db-0` (what `-o name`
 * prints), and with a namespace given also `db-0` and `vmi/db-0`. Undefined: it names none.
 */
export function vmKey(text: string, namespace: string | undefined): string | undefined {
  const parts = text.split('/');
  const first = parts[0] ?? '';
  const named = parts.length === 3 || (parts.length === 2 && namespace !== undefined);
  const rest = named && KINDS.has(first.toLowerCase()) ? parts.slice(1) : parts;
  const [a = '', b = ''] = rest;
  if (rest.length === 2 && a !== '' && b !== '') return `${a}/${b}`;
  if (rest.length === 1 && a !== '' && namespace !== undefined) return `${namespace}/${a}`;
  return undefined;
}
