/** What the page of a lint report needs besides the style of all pages. */
export const LINT_STYLE = `
:root { --error: var(--Blocks); --warning: var(--Restarts); --info: var(--HandedOver); }
a { color: inherit; }
.nodes a { font: 13px/1.4 ui-monospace, monospace; }
.finding { border-left: 5px solid var(--line); scroll-margin-top: 12px; break-inside: avoid; }
.finding.error { border-left-color: var(--error); } .finding.warning { border-left-color: var(--warning); } .finding.info { border-left-color: var(--info); }
.finding:target { outline: 2px solid var(--HandedOver); outline-offset: 2px; }
.finding h2 { margin-bottom: 2px; }
.finding .title { margin: 0 0 12px; font-size: 16px; }
dl.facts { display: grid; grid-template-columns: 6.5em minmax(0, 1fr); gap: 8px 16px; margin: 0; font-size: 15px; }
dl.facts > dt { color: var(--soft); } dl.facts > dd { margin: 0; }
dl.facts details { margin: 0; } dl.facts summary { line-height: 22px; }
.objects p { display: inline; } .objects small { color: var(--soft); margin-right: 8px; }
.objects code { display: inline-block; margin: 1px 0; }
@media (max-width: 700px) {
  .nodes th { min-width: 12em; }
  dl.facts { grid-template-columns: 1fr; gap: 2px; } dl.facts > dd { margin-bottom: 8px; }
}
`;
