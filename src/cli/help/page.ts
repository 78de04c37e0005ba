import type { Command, RouteMap } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { gateFlags, inputFlags, scopeFlags, viewFlags } from '../flags.ts';

/** The help of one command or group of commands, as a value: the terminal and the reference page are views of it. */
export interface HelpPage {
  /** `drover plan drain` */
  readonly name: string;
  readonly usage: string;
  readonly brief: string;
  readonly description: string;
  readonly sections: readonly HelpSection[];
}

export interface HelpSection {
  readonly title: string;
  readonly entries: readonly HelpEntry[];
}

export interface HelpEntry {
  /** `-f, --filename FILE` */
  readonly term: string;
  readonly text: string;
  /** Values that can stand there, where they are few and fixed. */
  readonly values: readonly string[];
  readonly byDefault?: string | undefined;
}

export type Target = Command<CliContext> | RouteMap<CliContext>;

/** What is read of a flag's definition. */
interface Flag {
  readonly kind: string;
  readonly brief: string;
  readonly placeholder?: string;
  readonly values?: readonly string[];
  readonly default?: unknown;
  readonly optional?: boolean;
  readonly variadic?: boolean | string;
}

interface Parameter {
  readonly placeholder?: string;
  readonly brief: string;
}

/** Titles of the flags that several commands share; all others come first, under the command's own. */
const SHARED: readonly { readonly title: string; readonly flags: object }[] = [
  { title: 'Input', flags: inputFlags },
  { title: 'What is shown and counted', flags: scopeFlags },
  { title: 'Output', flags: { ...viewFlags, ...gateFlags } },
];

export function isGroup(target: Target): target is RouteMap<CliContext> {
  return 'getAllEntries' in target;
}

/** The help of a target under the words by which it is called. */
export function helpPage(target: Target, words: readonly string[]): HelpPage {
  const name = words.join(' ');
  return {
    name,
    usage: isGroup(target) ? `${name} COMMAND` : commandUsage(target, name),
    brief: target.brief,
    description: target.fullDescription ?? target.brief,
    sections: isGroup(target) ? [commandsOf(target)] : [argumentsOf(target), ...flagSections(target)],
  };
}

function commandsOf(group: RouteMap<CliContext>): HelpSection {
  const entries = group
    .getAllEntries()
    .filter(({ hidden }) => !hidden)
    .map((entry) => ({ term: entry.name['convert-camel-to-kebab'], text: entry.target.brief, values: [] }));
  return { title: 'Commands', entries };
}

function commandUsage(command: Command<CliContext>, name: string): string {
  const flags = Object.entries(flagsOf(command)).filter(([, flag]) => isRequired(flag));
  const required = flags.map(([key, flag]) => `--${kebab(key)} ${valueName(flag)}`);
  const { positional } = command.parameters;
  const isOptional = positional?.kind === 'array' && !positional.minimum;
  const terms = positionals(command).map(({ term }) => (isOptional ? `[${term}]` : term));
  return [name, ...terms, ...required, '[flags]'].join(' ');
}

function isRequired(flag: Flag): boolean {
  return flag.optional !== true && flag.default === undefined;
}

function argumentsOf(command: Command<CliContext>): HelpSection {
  return { title: 'Arguments', entries: positionals(command) };
}

function positionals(command: Command<CliContext>): HelpEntry[] {
  const positional = command.parameters.positional;
  if (positional === undefined) return [];
  const many = positional.kind === 'array';
  const parameters: readonly Parameter[] = many ? [positional.parameter] : positional.parameters;
  return parameters.map(({ placeholder = 'value', brief }) => ({
    term: `${placeholder.toUpperCase()}${many ? '...' : ''}`,
    text: brief,
    values: [],
  }));
}

function flagsOf(command: Command<CliContext>): Readonly<Record<string, Flag>> {
  return (command.parameters.flags ?? {}) as Readonly<Record<string, Flag>>;
}

function flagSections(command: Command<CliContext>): HelpSection[] {
  const shared = SHARED.map(({ title, flags }) => ({ title, keys: new Set(Object.keys(flags)) }));
  const isShared = (key: string): boolean => shared.some(({ keys }) => keys.has(key));
  const all = Object.entries(flagsOf(command));
  const own = all.filter(([key]) => !isShared(key));
  const section = (title: string, flags: readonly (readonly [string, Flag])[]): HelpSection => ({
    title,
    entries: flags.map(([key, flag]) => flagEntry(command, key, flag)),
  });
  return [
    section('Flags', own),
    ...shared.map(({ title, keys }) =>
      section(
        title,
        all.filter(([key]) => keys.has(key)),
      ),
    ),
  ];
}

function flagEntry(command: Command<CliContext>, key: string, flag: Flag): HelpEntry {
  const letter = Object.entries(command.parameters.aliases ?? {}).find(([, name]) => name === key)?.[0];
  const name = flag.kind === 'boolean' && flag.default === true ? `no-${kebab(key)}` : kebab(key);
  const value = flag.kind === 'boolean' ? '' : ` ${valueName(flag)}`;
  const isOn = flag.kind === 'boolean' || flag.default === undefined;
  return {
    term: `${letter === undefined ? '    ' : `-${letter}, `}--${name}${value}`,
    text: flag.brief,
    values: flag.values ?? [],
    byDefault: isOn ? undefined : String(flag.default),
  };
}

function valueName(flag: Flag): string {
  return (flag.placeholder ?? 'value').toUpperCase();
}

/** `allNamespaces` → `all-namespaces`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
