import { expect, it } from 'vitest';
import { helpText } from './terminal.ts';

const page = (...description: readonly string[]) => ({
  name: 'drover graze',
  usage: 'drover graze [flags]',
  brief: 'Lets VMs graze',
  description: description.join('\n'),
  sections: [],
});

it('the end of a line of the source ends no line of the terminal', () => {
  const text = helpText(page('Leads the herd to where', 'the grass is green and', '', 'back.'), 30);
  expect(text).toMatch(/^Leads the herd to where the\ngrass is green and\n\nback\.\n/);
});

it('indented lines stay as they are, between the prose around them', () => {
  const text = helpText(page('Given as', '  herd:', '    size: 2', 'it counts,', 'once.'), 100);
  expect(text).toMatch(/^Given as\n {2}herd:\n {4}size: 2\nit counts, once\.\n/);
});
