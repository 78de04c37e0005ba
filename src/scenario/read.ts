import { load } from 'js-yaml';
import { problemText } from '../kubevirt/projection-error.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { ScenarioError } from './errors.ts';
import { type Scenario, scenarioSchema } from './schema.ts';

/** Reads a scenario. What is wrong is a `ScenarioError` that names every problem; `file` is how it calls the text. */
export function scenarioIn(text: string, file: string): Scenario {
  const written = yamlIn(text, file);
  const parsed = scenarioSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  throw new ScenarioError('ScenarioInvalid', `${file}: ${problemText(parsed.error, written)}`);
}

function yamlIn(text: string, file: string): unknown {
  try {
    return load(text);
  } catch (error) {
    const [line = ''] = messageOf(error).split('\n');
    throw new ScenarioError('ScenarioUnreadable', `${file}: ${line}`);
  }
}
