/** What is to be scheduled: which VM moves from where to where, over which network, how many at once. */
import { type GuestMemory, soloCopy } from '../transfer/copy.ts';
import { payloadMBps, soloMbps, type Wiring } from '../transfer/wiring.ts';

/** One live migration whose target is decided already. */
export interface Move {
  /** `namespace/name`, unique among the moves. */
  readonly vm: string;
  readonly from: string;
  readonly to: string;
  readonly memory: GuestMemory;
  /** How long the guest may stand still at the end. */
  readonly downtimeLimitSeconds: number;
  /** `bandwidthPerMigration`. Undefined: as much as the links carry. */
  readonly capMbps?: number | undefined;
}

/** How many may run at once; undefined is any number. The first two are KubeVirt's own settings. */
export interface Widths {
  readonly parallelMigrationsPerCluster?: number | undefined;
  readonly parallelOutboundMigrationsPerNode?: number | undefined;
  readonly parallelInboundMigrationsPerNode?: number | undefined;
}

export interface MovesToSchedule {
  readonly moves: readonly Move[];
  readonly wiring: Wiring;
  readonly widths?: Widths | undefined;
  /** Under way already, none of them among `moves`: they keep what they have until they end, and count for the widths. */
  readonly running?: readonly RunningMove[] | undefined;
}

/** `mbps` is what it gets now, `seconds` what it still takes with that: finite, so a move that does not converge must be ended first. */
export type RunningMove = SoloMove;

/** A move with what it takes when nothing stands in its way. */
export interface SoloMove {
  readonly move: Move;
  readonly mbps: number;
  /** Infinite: it does not converge even then. */
  readonly seconds: number;
}

/** How long and how broad each move is alone, in the given order. */
export function soloMoves({ moves, wiring }: MovesToSchedule): SoloMove[] {
  return moves.map((move) => {
    const mbps = soloMbps(wiring, move.from, move.to, move.capMbps);
    const { seconds } = soloCopy(move.memory, move.downtimeLimitSeconds, payloadMBps(mbps));
    return { move, mbps, seconds };
  });
}
