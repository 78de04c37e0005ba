import { type Piece, remedyPieces } from '../cure.ts';
import { html, type Safe } from './escape.ts';

/** Advice whose commands stand in a block of their own each; one click selects a command whole, without script. */
export function advice(pieces: readonly Piece[]): Safe {
  return html`<div class="advice">${pieces.map(({ kind, text }) =>
    kind === 'command' ? html`<pre><code>${text}</code></pre>` : html`<p>${withCode(text)}</p>`,
  )}</div>`;
}

/** One remedy in a line, its command as code. */
export function remedyLine(remedy: string): Safe {
  return joined(
    remedyPieces(remedy).map(({ kind, text }) =>
      kind === 'command' ? html` <code>${text}</code>` : html`${text}`,
    ),
  );
}

/** Words in which what stands between backticks is code. */
function withCode(text: string): Safe {
  return joined(
    text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)),
  );
}

function joined(parts: readonly Safe[]): Safe {
  return html`${parts}`;
}

export const ADVICE_STYLE = `
.advice p { margin: 0 0 4px; } .advice pre + p { margin-top: 8px; }
.advice pre { margin: 4px 0; padding: 7px 11px; background: var(--code); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; cursor: copy; }
.advice pre code { padding: 0; background: none; color: var(--ink); }
`;
