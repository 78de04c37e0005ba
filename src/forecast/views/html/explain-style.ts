/** What the page of an explanation needs besides the style of all pages. */
export const EXPLAIN_STYLE = `
a { color: inherit; }
.pill { display: inline-block; vertical-align: middle; }
.ways { width: 100%; border-collapse: collapse; table-layout: fixed; }
.ways th, .ways td { padding: 12px 16px 12px 0; border-top: 1px solid var(--line); text-align: left; vertical-align: middle; }
.ways tr:first-child > * { border-top: 0; } .ways th { width: 12.5em; font-size: 14px; font-weight: 600; overflow-wrap: anywhere; }
.ways td { padding-right: 0; } .ways td > small { display: block; margin-top: 6px; color: var(--soft); overflow-wrap: anywhere; }
.path { display: flex; flex-wrap: wrap; gap: 6px 0; list-style: none; margin: 0; padding: 0; }
.path li { display: flex; align-items: center; margin: 0; }
.path li:not(:last-child)::after { content: "→"; margin: 0 7px; color: var(--soft); }
.path a { display: block; padding: 3px 10px; border: 1px solid var(--line); border-radius: 7px; background: var(--code); font-size: 13px; text-decoration: none; }
.path a:hover { border-color: var(--soft); } .path small { display: block; color: var(--soft); font: 11.5px/1.3 ui-monospace, monospace; overflow-wrap: anywhere; }
.way { scroll-margin-top: 12px; } .way > h2 { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; }
dl.facts { display: grid; grid-template-columns: 9.5em minmax(0, 1fr); gap: 10px 16px; margin: 0; font-size: 15px; }
dl.facts > dt { color: var(--soft); } dl.facts > dd { margin: 0; }
.changes { border-collapse: collapse; } .changes td { padding: 2px 18px 2px 0; vertical-align: top; } .changes td:nth-child(2) { white-space: nowrap; }
.overview { margin-top: 14px; list-style: none; padding: 0; }
.stages { margin: 0; padding-left: 22px; } .stages > li { margin: 0 0 14px; scroll-margin-top: 12px; }
.stages > li:target { outline: 2px solid var(--HandedOver); outline-offset: 6px; border-radius: 4px; }
.stages > li > p { margin: 0 0 4px; }
.rule { margin: 2px 0; border-left: 3px solid var(--line); padding: 1px 0 1px 10px; }
.rule summary { display: flex; gap: 8px; align-items: baseline; list-style: none; } .rule summary::-webkit-details-marker { display: none; }
.rule.held { border-left-color: var(--good); padding-bottom: 4px; } .rule.held summary { color: var(--ink); font-weight: 600; font-size: 14px; }
.rule .tick { flex: none; width: 1em; text-align: center; } .rule.held .tick { color: var(--good); }
.rule summary:hover { color: var(--ink); }
.rule > dl, .rule > p { margin: 4px 0 4px 24px; font-size: 13px; } .rule > p { color: var(--soft); overflow-wrap: anywhere; }
@media (max-width: 700px) {
  .ways tr, .ways td, .ways th { display: block; width: auto; border: 0; padding: 3px 0; }
  .ways tr { border-top: 1px solid var(--line); padding: 8px 0; }
  .changes td { display: inline-block; padding-right: 8px; } .changes tr { display: block; margin-bottom: 6px; }
  dl.facts { grid-template-columns: 1fr; gap: 2px; } dl.facts > dd { margin-bottom: 8px; }
}
@media print { .rule.not { break-inside: avoid; } }
`;
