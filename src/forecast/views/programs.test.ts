import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { aForecast, theDrain } from './builders.ts';
import { jsonView } from './json.ts';
import { UNPRINTABLE } from './text.ts';
import { yamlView } from './yaml.ts';

const drain = theDrain().build();
const absent = { object: 'Node n1', path: 'spec.unschedulable', value: undefined };

describe('JSON', () => {
  it('escapes what a terminal acts on, and keeps the text', () => {
    const text = 'a\u009b31mb\u202ec\u001b';
    const json = jsonView({ text });
    expect(json).toBe('{\n  "text": "a\\u009b31mb\\u202ec\\u001b"\n}\n');
    expect(JSON.parse(json)).toEqual({ text });
  });

  it('says null where evidence is that a field is absent', () => {
    const forecast = aForecast()
      .with('a/b', 'Blocks', { evidence: [absent] })
      .build();
    const { vms } = JSON.parse(jsonView(forecast)).status;
    expect(vms[0].evidence).toEqual([{ object: 'Node n1', path: 'spec.unschedulable', value: null }]);
  });

  it.each([
    ['no evidence', { path: 'cpu.sockets', value: undefined }],
    ['nested in evidence', { ...absent, value: { key: 'k', value: undefined } }],
  ])('leaves out what is absent elsewhere: %s', (_, held) => {
    expect(jsonView(held)).not.toContain('null');
  });

  it('has stages where there are any', () => {
    const [explained, plain] = JSON.parse(jsonView(drain)).status.vms;
    expect(explained.stages).toHaveLength(2);
    expect(plain).not.toHaveProperty('stages');
  });

  it('keeps empty stages in an explanation, and lists of other names', () => {
    expect(jsonView({ kind: 'ForecastList', items: [{ stages: [] }] })).toContain('"stages": []');
    expect(jsonView({ kind: 'Forecast', remedies: [] })).toContain('"remedies": []');
  });
});

describe('YAML', () => {
  it('says the same as JSON', () => {
    expect(load(yamlView(drain))).toEqual(JSON.parse(jsonView(drain)));
  });

  it.each([
    ['a value', { a: 'x\u202ey' }, 'a: "x\\u202ey"\n'],
    ['a key', { 'x\u200by': 1 }, '"x\\u200by": 1\n'],
    ['a text of several lines', { a: 'x\ny\u202e' }, 'a: "x\\ny\\u202e"\n'],
    ['a plain text of several lines', { a: 'x\ny\n' }, 'a: |\n  x\n  y\n'],
    ['a plain text', { a: 'Größe' }, 'a: Größe\n'],
  ])('escapes what a terminal acts on: %s', (_, answer, text) => {
    expect(yamlView(answer)).toBe(text);
  });

  it('shows nothing raw, and reads back as the same', () => {
    const steering = fc.constantFrom(
      '\u202e',
      '\u2066',
      '\u200b',
      '\u2028',
      '\u001b',
      '\u009b',
      '\n',
      "'",
      ': ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(steering, fc.string())), (parts) => {
        const answer = { message: parts.join('') };
        const text = yamlView(answer);
        expect(load(text)).toEqual(answer);
        expect(text.replaceAll('\n', '').search(UNPRINTABLE)).toBe(-1);
      }),
    );
  });
});
