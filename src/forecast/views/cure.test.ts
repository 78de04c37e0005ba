import { describe, expect, it } from 'vitest';
import { cureLines, curePieces, remedyLines, remedyPieces } from './cure.ts';

describe('cureLines', () => {
  it('puts each command on a line of its own and never breaks it', () => {
    const long = `kubectl patch vm -n shop db-0 --type merge -p '{"spec":{"template":{"spec":{}}}}'`;
    const cure = `Shut it down (\`virtctl stop db-0\`), or change it: \`${long}\`, then restart it (\`virtctl restart db-0\`)`;
    expect(cureLines('to do: ', cure, 40)).toEqual([
      'to do: Shut it down:',
      '         virtctl stop db-0',
      '       or change it:',
      `         ${long}`,
      '       then restart it:',
      '         virtctl restart db-0',
    ]);
  });

  it('drops the parenthesis that a command stood in, with words behind it', () => {
    expect(cureLines('', 'Do (`kubectl x`, from now on), or (not).', 40)).toEqual([
      'Do:',
      '  kubectl x',
      'from now on, or (not).',
    ]);
  });

  it('wraps words, and leaves what is no command in its place', () => {
    expect(cureLines('to do: ', 'Set `evictionStrategy` on each of the VMs.', 40)).toEqual([
      'to do: Set `evictionStrategy` on each of',
      '       the VMs.',
    ]);
  });
});

it('curePieces tells words from commands, and makes both printable', () => {
  expect(curePieces('Look (`kubectl get vm a\u001b`), or `echo x`')).toEqual([
    { kind: 'words', text: 'Look:' },
    { kind: 'command', text: 'kubectl get vm a\\u{1b}' },
    { kind: 'words', text: 'or:' },
    { kind: 'command', text: 'echo x' },
  ]);
});

describe('remedyPieces', () => {
  it.each([
    ['Stop it first: virtctl stop db-0 -n shop', ['Stop it first:', 'virtctl stop db-0 -n shop']],
    ['Find out: now: kubectl get kubevirt -A', ['Find out: now:', 'kubectl get kubevirt -A']],
    ['Ask: drover lint', ['Ask:', 'drover lint']],
  ])('%s ends in a command', (remedy, [words, command]) => {
    expect(remedyPieces(remedy)).toEqual([
      { kind: 'words', text: words },
      { kind: 'command', text: command },
    ]);
  });

  it.each(['kubectl drain: it goes on', 'Say which: --external none', 'Use kubectl drain', 'a\u202eb'])(
    '%j has none',
    (remedy) => {
      expect(remedyPieces(remedy)).toEqual([{ kind: 'words', text: remedy.replace('\u202e', '\\u{202e}') }]);
    },
  );
});

describe('remedyLines', () => {
  const remedy = 'Shut it down first: virtctl stop db-0 -n shop';
  it.each([
    [49, ['  - Shut it down first: virtctl stop db-0 -n shop']],
    [48, ['  - Shut it down first:', '      virtctl stop db-0 -n shop']],
    [26, ['  - Shut it down first:', '      virtctl stop db-0 -n shop']],
  ])('in %i columns', (columns, lines) => {
    expect(remedyLines('  - ', remedy, columns)).toEqual(lines);
  });

  it('wraps words alone', () => {
    expect(remedyLines('- ', 'Restart it when it suits you well', 24)).toEqual([
      '- Restart it when it',
      '  suits you well',
    ]);
  });
});
