/**
 * Label selectors: the ones in objects (`matchLabels`, `matchExpressions`) and the ones of `kubectl -l`.
 * kubernetes apimachinery pkg/apis/meta/v1/helpers.go (LabelSelectorAsSelector) and pkg/labels/selector.go.
 */
import type { LabelSelector } from './objects.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];
/** Judges the value of the label; `undefined` where the object lacks it. */
type Matcher = (held: string | undefined, values: readonly string[]) => boolean;

/** `NotIn` holds for an object without the label too. */
const OPERATORS: ReadonlyMap<string, Matcher> = new Map<string, Matcher>([
  ['In', (held, values) => held !== undefined && values.includes(held)],
  ['NotIn', (held, values) => held === undefined || !values.includes(held)],
  ['Exists', (held) => held !== undefined],
  ['DoesNotExist', (held) => held === undefined],
]);

const VALUED: ReadonlySet<string> = new Set(['In', 'NotIn']);

/**
 * Whether a selector of the policy/v1 kind takes an object with these labels.
 *
 * Promise: no selector takes nothing, an empty one everything; all requirements must hold. A selector with an unknown
 * operator, or one with too few or too many values, takes nothing, as the API server treats it.
 */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  if (!selector) return false;
  const expressions = selector.matchExpressions ?? [];
  if (!expressions.every(isWellFormed)) return false;
  return (
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labelIn(labels, key) === value) &&
    expressions.every(({ key, operator, values }) =>
      OPERATORS.get(operator)?.(labelIn(labels, key), values ?? []),
    )
  );
}

/** Asks for own keys only: a label may be called `constructor`. */
function labelIn(labels: Labels | undefined, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function isWellFormed({ operator, values }: Requirement): boolean {
  const given = values?.length ?? 0;
  return OPERATORS.has(operator) && VALUED.has(operator) === given > 0;
}

/** A text that is no label selector; the message quotes the part that is wrong and says what may stand there. */
export class SelectorSyntaxError extends Error {
  override readonly name = 'SelectorSyntaxError';
}

/**
 * Reads the syntax of `kubectl -l`: `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x,y)`, `a`, `!a`, joined by commas
 * that mean "and".
 *
 * Promise: the requirements come in the order of the text; the empty text gives the selector that takes everything;
 * anything else throws a `SelectorSyntaxError`, keys and values included that no label can have.
 */
export function parseSelector(text: string): LabelSelector {
  if (text.trim() === '') return {};
  return { matchExpressions: splitAtCommas(text).map((part) => parseRequirement(part.trim(), text)) };
}

/** Commas within parentheses separate values, not requirements. */
function splitAtCommas(text: string): string[] {
  return text.split(/,(?![^(]*\))/);
}

const FORMS: readonly { form: RegExp; read: (match: readonly string[]) => Requirement }[] = [
  { form: /^!\s*([^\s=!(),]+)$/, read: ([, key = '']) => ({ key, operator: 'DoesNotExist' }) },
  { form: /^([^\s=!(),]+)$/, read: ([, key = '']) => ({ key, operator: 'Exists' }) },
  {
    form: /^([^\s=!(),]+)\s*==?\s*([^\s=!(),]*)$/,
    read: ([, key = '', value = '']) => ({ key, operator: 'In', values: [value] }),
  },
  {
    form: /^([^\s=!(),]+)\s*!=\s*([^\s=!(),]*)$/,
    read: ([, key = '', value = '']) => ({ key, operator: 'NotIn', values: [value] }),
  },
  {
    form: /^([^\s=!(),]+)\s+(in|notin)\s*\(([^()]*)\)$/,
    read: ([, key = '', word, list = '']) => ({
      key,
      operator: word === 'in' ? 'In' : 'NotIn',
      values: list.split(',').map((value) => value.trim()),
    }),
  },
];

const FORMS_IN_WORDS = 'key=value, key!=value, key in (a,b), key notin (a,b), key or !key';

function parseRequirement(part: string, whole: string): Requirement {
  for (const { form, read } of FORMS) {
    const match = form.exec(part);
    if (match) return checked(read(match), whole);
  }
  throw new SelectorSyntaxError(
    `label selector "${whole}": cannot read "${part}"; a requirement is one of ${FORMS_IN_WORDS}`,
  );
}

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function checked(requirement: Requirement, whole: string): Requirement {
  const { key, values = [] } = requirement;
  if (!isLabelKey(key)) {
    throw new SelectorSyntaxError(
      `label selector "${whole}": "${key}" cannot be a label key; it needs a name of at most 63 letters, digits, "-", "_" or ".", with an optional DNS prefix and "/"`,
    );
  }
  const bad = values.find((value) => value !== '' && !NAME.test(value));
  if (bad === undefined) return requirement;
  throw new SelectorSyntaxError(
    `label selector "${whole}": "${bad}" cannot be a label value; it may have at most 63 letters, digits, "-", "_" or "." and begins and ends with a letter or digit`,
  );
}

function isLabelKey(key: string): boolean {
  const [name = '', prefix, ...more] = key.split('/').reverse();
  return NAME.test(name) && more.length === 0 && (prefix === undefined || SUBDOMAIN.test(prefix));
}
