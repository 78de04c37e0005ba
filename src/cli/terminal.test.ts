import { expect, it } from 'vitest';
import { programName, terminalOf } from './terminal.ts';

const tty = { isTTY: true, columns: 120 };

it.each([
  ['a terminal', tty, tty, {}, { width: 120, colour: true, watched: true }],
  ['a pipe', {}, {}, {}, { width: 100, colour: false, watched: false }],
  ['a pipe that a person waits for', {}, tty, {}, { width: 100, colour: false, watched: true }],
  ['NO_COLOR', tty, tty, { NO_COLOR: '1' }, { width: 120, colour: false, watched: true }],
  ['an empty NO_COLOR', tty, {}, { NO_COLOR: '' }, { width: 120, colour: true, watched: false }],
  ['a dumb terminal', tty, tty, { TERM: 'dumb' }, { width: 120, colour: false, watched: false }],
  ['a narrow one', { isTTY: true, columns: 20 }, {}, {}, { width: 60, colour: true, watched: false }],
  ['a wide one', { isTTY: true, columns: 300 }, {}, {}, { width: 160, colour: true, watched: false }],
  ['one of unknown width', { isTTY: true }, {}, {}, { width: 100, colour: true, watched: false }],
])('%s', (_, stdout, stderr, env, expected) => {
  expect(terminalOf(stdout, stderr, env)).toMatchObject(expected);
});

it.each([
  [tty, {}, true],
  [{}, {}, false],
  [tty, { NO_COLOR: '1' }, true],
  [tty, { TERM: 'dumb' }, false],
])('%j in %j can be drawn on anew: %s', (stdout, env, expected) => {
  expect(terminalOf(stdout, {}, env).isTerminal).toBe(expected);
});

it.each([
  ['/usr/local/bin/kubectl-drover', 'kubectl drover'],
  ['C:\\bin\\kubectl-drover.cmd', 'kubectl drover'],
  ['/usr/local/bin/drover', 'drover'],
  ['/x/dist/drover.js', 'drover'],
  [undefined, 'drover'],
])('%s is called %s', (path, name) => {
  expect(programName(path)).toBe(name);
});
