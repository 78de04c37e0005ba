import type { Mark } from '../paint.ts';
import { html, type Safe } from './escape.ts';
import { STYLE } from './style.ts';

const MOOD: Readonly<Record<Mark, string>> = { '✓': 'good', '!': 'look', '✗': 'bad' };
const MOOD_WORD: Readonly<Record<Mark, string>> = { '✓': 'Good:', '!': 'Look:', '✗': 'Problem:' };

/** What differs from page to page. */
export interface Page {
  /** What was asked, in one line. */
  readonly asked: string;
  /** The answer in one sentence. */
  readonly answer: string;
  readonly mark: Mark;
  /** Style that this page needs besides what all pages have. */
  readonly style?: string;
  readonly sections: readonly Safe[];
}

/**
 * One self-contained page: no script, no request to anywhere, readable in light and dark, on paper and without colours.
 *
 * Promise: nothing that comes from the cluster can become markup; a policy in the page forbids script and loading besides.
 */
export function pageOf({ asked, answer, mark, style = '', sections }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${answer}</title>
<style>${{ html: STYLE + style }}</style>
</head>
<body>
<main>
<header class="${MOOD[mark]}">
<p class="asked">${asked}</p>
<h1><span class="mark" role="img" aria-label="${MOOD_WORD[mark]}">${mark}</span><span>${answer}</span></h1>
</header>
${sections.map((section) => html`${section}\n`)}<footer>Made by Drover. The same facts for programs: <code>-o json</code>.</footer>
</main>
</body>
</html>
`.html;
}
