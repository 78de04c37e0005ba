import { batchMemoryIn } from '../controllers/batch-memory.ts';
import type { EvacuationController } from '../controllers/evacuation-controller.ts';
import { DeedsInHand } from '../controllers/in-hand.ts';
import type { Cluster } from '../controllers/ports.ts';
import type { WorkloadUpdateController } from '../controllers/workload-update-controller.ts';
import type { Fault, MemoryCluster, MemoryClusterOptions } from './memory-cluster.ts';
import type { World } from './test-world.ts';

/** A process of Drover: both controllers on one client, with what they share. It can crash. */
export class DroverProcess {
  readonly cluster: MemoryCluster;
  readonly updater: WorkloadUpdateController;
  readonly evacuator: EvacuationController;
  #isDead = false;

  /**
   * `onSend` hears of each write as it is sent, with the cache as it is then. `leaseFaultOf`: what goes wrong with a writing of the
   * batch memory.
   */
  constructor(
    world: World,
    options: Partial<MemoryClusterOptions>,
    onSend: (cluster: MemoryCluster, verb: string) => void,
    leaseFaultOf: () => Fault | undefined = () => undefined,
  ) {
    this.cluster = world.connect(options);
    const mortal = this.#mortal(this.cluster, (verb) => onSend(this.cluster, verb));
    const inHand = new DeedsInHand(world.clock);
    const write = (text: string) =>
      this.#whileAlive(async () => {
        const fault = leaseFaultOf();
        if (!fault || fault.carriedOut) world.batchText = text;
        return fault?.answer ?? { ok: true as const, name: 'lease' };
      });
    const memory = batchMemoryIn({ read: () => world.batchText, write }, () => world.clock.now());
    this.updater = world.updater(mortal as MemoryCluster, { inHand, memory });
    this.evacuator = world.evacuator(mortal as MemoryCluster, { inHand });
    this.updater.start();
    this.evacuator.start();
  }

  /** What was sent arrives; nothing else happens any more. */
  crash(): void {
    this.#isDead = true;
    this.cluster.close();
  }

  async stop(): Promise<void> {
    await Promise.all([this.updater.stop(), this.evacuator.stop()]);
    this.crash();
  }

  #mortal(cluster: MemoryCluster, onSend: (verb: string) => void): Cluster {
    const send = <T>(verb: string, act: () => Promise<T>): Promise<T> => {
      if (!this.#isDead) onSend(verb);
      return this.#whileAlive(act);
    };
    return {
      fleet: cluster.fleet,
      isSynced: () => cluster.isSynced(),
      subscribe: (listener) => cluster.subscribe(listener),
      create: (...args) => send('create', () => cluster.create(...args)),
      patch: (...args) => send('patch', () => cluster.patch(...args)),
      modify: (kind, key, change, options) =>
        send('modify', () => cluster.modify(kind, key, change, options)),
      delete: (...args) => send('delete', () => cluster.delete(...args)),
      evict: (...args) => send('evict', () => cluster.evict(...args)),
      recordEvent: (...args) => cluster.recordEvent(...args),
    };
  }

  /** The dead neither send nor hear. */
  async #whileAlive<T>(act: () => Promise<T>): Promise<T> {
    const never = new Promise<T>(() => {});
    if (this.#isDead) return never;
    const result = await act();
    return this.#isDead ? never : result;
  }
}
