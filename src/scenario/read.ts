import { load } from 'js-yaml';
import { problemsOf } from '../kubevirt/projection-error.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { ScenarioError } from './errors.ts';
import { type Scenario, scenarioSchema } from './schema.ts';

/** Reads a scenario. What is wrong is a `ScenarioError` that names every problem; `file` is how it calls the text. */
export function scenarioIn(text: string, file: string): Scenario {
  const written = yamlIn(text, file);
  const parsed = scenarioSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, written).map(
    ({ path, problem }) => `${path || 'it'}: ${problem}`,
  );
  throw new ScenarioError('ScenarioInvalid', `${file}: ${problems.join('; ')}`);
}

function yamlIn(text: string, file: string): unknown {
  try {
    return load(text);
  } catch (error) {
    const [line = ''] = messageOf(error).split('\n');
    throw new ScenarioError('ScenarioUnreadable', `${file}: ${line}`);
  }
}
