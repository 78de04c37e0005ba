import { DEFAULT_SCALAR_STYLE_RULES, dump, SCALAR_STYLE, type ScalarStyleRule } from 'js-yaml';
import { escaped, forPrograms } from './json.ts';

/**
 * The same as the JSON view, as YAML. Long texts stay on one line, so that diffs of two forecasts are small.
 *
 * Promise: characters that a terminal would act on are written as escapes, which read back as the same text.
 */
export function yamlView(answer: object): string {
  const text = dump(forPrograms(answer), {
    lineWidth: -1,
    noRefs: true,
    scalarStyleRules: [quoteToEscape, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)],
  });
  return escaped(text);
}

/** Escapes mean something within double quotes only; a line break may stay what it is. */
const quoteToEscape: ScalarStyleRule = (layout) => {
  const line = layout.node.value.replaceAll('\n', '');
  if (escaped(line) !== line) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
};
