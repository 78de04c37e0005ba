import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import type { LiveSource } from '../cli/ports.ts';
import type { StrategyPlace } from '../cli/services.ts';
import { ControllerError } from '../controllers/errors.ts';
import type { Clock, Log, Metrics } from '../controllers/ports.ts';
import { ownStrategy, type StrategySource } from '../controllers/strategy.ts';
import type { ApiClient } from '../kubernetes/api-client.ts';
import { connect } from '../kubernetes/connect.ts';
import { objectAt } from '../kubevirt/json.ts';
import { whyUnread } from '../kubevirt/thrown.ts';

/** Where Drover's own strategy is written. */
export interface StrategyOrigin {
  /** For messages. */
  readonly name: string;
  readonly everySeconds: number;
  /** Reads the text, or throws. */
  readonly read: () => Promise<string>;
}

/**
 * A file is read again and again instead of watched: a mounted ConfigMap is swapped by links, of which a watch on the file hears
 * nothing.
 */
export function strategyFile(file: string): StrategyOrigin {
  return { name: file, everySeconds: 2, read: () => readFile(file, 'utf8') };
}

/** The key of the ConfigMap under which it stands. */
const KEY = 'strategy.yaml';

/** Got again and again instead of watched: the right to `get` the very one is enough. */
export function strategyConfigMap(
  api: ApiClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): StrategyOrigin {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps/${encodeURIComponent(name)}`;
  return {
    name: `ConfigMap ${namespace}/${name}`,
    everySeconds: 10,
    read: async () => {
      const answer = await api.call({ method: 'GET', path, verb: 'get' });
      if (!answer.ok) throw new Error(answer.message);
      const text = objectAt(answer.object, 'data')[KEY];
      if (typeof text !== 'string') throw new Error(`it has no key ${KEY}`);
      return text;
    },
  };
}

/** Reads a strategy once. Rejects with `StrategyUnreadable`. */
export async function readStrategy(
  place: Exclude<StrategyPlace, 'kubevirt'>,
  source: LiveSource,
): Promise<StrategySource> {
  if ('file' in place) return strategyIn(strategyFile(place.file));
  const api = connect(source);
  try {
    return await strategyIn(strategyConfigMap(api, place.configMap));
  } finally {
    await api.close();
  }
}

async function strategyIn(origin: StrategyOrigin): Promise<StrategySource> {
  return ownStrategy(parse(await textIn(origin), origin.name), origin.name);
}

function textIn({ name, read }: StrategyOrigin): Promise<string> {
  return read().catch((error: unknown) => {
    throw unreadable(name, error);
  });
}

export interface FollowedStrategy {
  current(): StrategySource;
  stop(): void;
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onChange: () => void;
}

/**
 * Follows a strategy that may be written anew at any time.
 *
 * Promise: one that cannot be read, or says nothing sensible, is told once and passed over: the one before it stays in force. Rejects
 * with `StrategyUnreadable` when there is none to begin with.
 */
export async function followStrategy(
  origin: StrategyOrigin,
  options: FollowOptions,
): Promise<FollowedStrategy> {
  const following = new Following(origin, options);
  await following.begin();
  return following;
}

class Following implements FollowedStrategy {
  readonly #origin: StrategyOrigin;
  readonly #options: FollowOptions;
  #strategy: StrategySource = { kind: 'kubevirt' };
  /** The text of the strategy in force. */
  #text: string | undefined;
  #told: string | undefined;
  #callOff = (): void => {};
  #stopped = false;

  constructor(origin: StrategyOrigin, options: FollowOptions) {
    this.#origin = origin;
    this.#options = options;
  }

  current(): StrategySource {
    return this.#strategy;
  }

  async begin(): Promise<void> {
    await this.#read();
    this.#await();
  }

  stop(): void {
    this.#stopped = true;
    this.#callOff();
  }

  #await(): void {
    if (this.#stopped) return;
    this.#callOff = this.#options.clock.after(this.#origin.everySeconds, () => void this.#lookAgain());
  }

  async #lookAgain(): Promise<void> {
    try {
      if (await this.#read()) this.#changed();
      this.#told = undefined;
    } catch (error) {
      this.#tellProblem(whyUnread(error));
    }
    this.#await();
  }

  /** Whether there is another strategy now. */
  async #read(): Promise<boolean> {
    const { name } = this.#origin;
    const text = await textIn(this.#origin);
    if (text === this.#text && this.#told === undefined) return false;
    const strategy = ownStrategy(parse(text, name), name);
    const isAnother = text !== this.#text;
    this.#text = text;
    this.#strategy = strategy;
    return isAnother;
  }

  #changed(): void {
    const { log, onChange } = this.#options;
    log.write('info', 'the strategy has changed', { from: this.#origin.name, strategy: this.#strategy });
    onChange();
  }

  #tellProblem(problem: string): void {
    const { log, metrics } = this.#options;
    if (problem === this.#told) return;
    this.#told = problem;
    metrics.count('drover_strategy_problems_total');
    log.write('error', 'the new strategy cannot be read, the old one stays in force', { problem });
  }
}

function parse(text: string, name: string): unknown {
  try {
    // Throws for an empty text: a file that is just being written is no strategy.
    return load(text);
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): ControllerError {
  return new ControllerError('StrategyUnreadable', `${name}: ${whyUnread(error)}`);
}
