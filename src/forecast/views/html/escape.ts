import { printable } from '../text.ts';

const ENTITY: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is safe to put into a page as it is. Only `html` and `joined` make one. */
export interface Safe {
  readonly html: string;
}

type Part = string | number | Safe | readonly Safe[];

/**
 * A template whose values are escaped: ``html`<td>${name}</td>` ``. Values that are `Safe` already stay as they are.
 *
 * Promise: a text from a cluster shows as it is and can become neither an element nor an attribute.
 */
export function html(fixed: TemplateStringsArray, ...values: readonly Part[]): Safe {
  return { html: fixed.reduce((page, text, index) => page + render(values[index - 1] ?? '') + text) };
}

function render(value: Part): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return printable(value).replace(/[&<>"']/g, (c) => ENTITY[c] ?? c);
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
}

/** Nothing, for the else of a condition. */
export const NOTHING: Safe = { html: '' };
