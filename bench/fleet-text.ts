import { dump } from 'js-yaml';
import { type FleetRecipe, generateFleet } from './fleet-generator.ts';

/** `list`: one JSON List. `jsonl`: an object a line. `yaml`: one List as `kubectl get -o yaml` writes it. */
export const FLEET_FORMATS = ['list', 'jsonl', 'yaml'] as const;
export type FleetFormat = (typeof FLEET_FORMATS)[number];

const PIECE_CHARS = 256 * 1024;

/** A fleet as text, in pieces of about 256 KiB. */
export function* fleetText(recipe: FleetRecipe, format: FleetFormat): Generator<string> {
  let piece = '';
  for (const text of WRITERS[format](generateFleet(recipe))) {
    piece += text;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

type Writer = (objects: Iterable<object>) => Generator<string>;

const WRITERS: Readonly<Record<FleetFormat, Writer>> = {
  *list(objects) {
    yield '{"apiVersion":"v1","items":[';
    let separator = '\n';
    for (const object of objects) {
      yield separator + JSON.stringify(object);
      separator = ',\n';
    }
    yield '\n],"kind":"List","metadata":{"resourceVersion":""}}\n';
  },
  *jsonl(objects) {
    for (const object of objects) yield `${JSON.stringify(object)}\n`;
  },
  *yaml(objects) {
    yield 'apiVersion: v1\nitems:\n';
    for (const object of objects) yield dump([object], { lineWidth: -1, seqNoIndent: true, noRefs: true });
    yield 'kind: List\nmetadata:\n  resourceVersion: ""\n';
  },
};
