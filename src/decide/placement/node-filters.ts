import type { Table } from '../rules.ts';
import type { SeatVerdict } from './filter-rule.ts';
import { NODE_PROPERTY_FILTERS, VOLUME_FILTER } from './node-property-filters.ts';
import { NEIGHBOUR_FILTERS, RESOURCE_FILTERS } from './occupancy-filters.ts';
import type { Seat } from './seat.ts';

/**
 * What keeps a pod off a node, in the scheduler's order (kubernetes pkg/scheduler/apis/config/v1/default_plugins.go). The
 * node that a migration leaves stands first, though the scheduler finds it out last: the cordon that a drain puts on it
 * will be lifted, this stays. A new pod names no node, so the filter for that has no row. Preferences are not judged, nor
 * is the node's `Ready`: for the scheduler only the taint counts that follows from it.
 */
export const NODE_FILTERS: Table<Seat, SeatVerdict> = [
  ...NODE_PROPERTY_FILTERS,
  ...RESOURCE_FILTERS,
  VOLUME_FILTER,
  ...NEIGHBOUR_FILTERS,
  {
    name: 'Fits',
    asks: 'nothing keeps the pod off the node',
    source: 'kubernetes pkg/scheduler/schedule_one.go',
    when: () => true,
    reads: () => [],
    then: ({ node }) => ({ fits: true, message: `${node.metadata.name} fits` }),
  },
];
