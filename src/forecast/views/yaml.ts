import { dump } from 'js-yaml';

/** The same as the JSON view, as YAML. Long texts stay on one line, so that diffs of two forecasts are small. */
export function yamlView(answer: object): string {
  return dump(JSON.parse(JSON.stringify(answer)), { lineWidth: -1, noRefs: true });
}
