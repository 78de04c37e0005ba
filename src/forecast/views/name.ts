import type { Forecast } from '../forecast.ts';
import type { ViewOptions } from './options.ts';
import { sorted } from './order.ts';
import { keyOfVm } from './remedies.ts';
import { printable } from './text.ts';

/** `virtualmachineinstance/NAMESPACE/NAME`, one a line, as every command that takes a VM accepts it. */
export function nameView(forecast: Forecast, options: Pick<ViewOptions, 'sortBy'>): string {
  return sorted(forecast.status.vms, options.sortBy)
    .map((vm) => `virtualmachineinstance/${printable(keyOfVm(vm))}\n`)
    .join('');
}
