import type { SortKey } from './order.ts';

/** How a forecast is to be shown. Each view reads what concerns it. */
export interface ViewOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
  /** Order of the VMs in views for people; JSON and YAML always sort by namespace and name. */
  readonly sortBy: SortKey;
  /** False prints bare rows, for scripts. */
  readonly headers: boolean;
  /** How the user calls Drover: `drover` or `kubectl drover`. */
  readonly program: string;
  /** Flags that name the same input again, ready to paste: `-f cluster.yaml`. */
  readonly source: string;
}

export const PLAIN: ViewOptions = {
  width: 100,
  colour: false,
  sortBy: 'outcome',
  headers: true,
  program: 'drover',
  source: '',
};
