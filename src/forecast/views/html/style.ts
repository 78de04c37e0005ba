/** The page's style. Colours are told apart by lightness too, and every one has its word beside it. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1c2430; --soft: #5b6675; --line: #e1e5ea; --code: #f0f2f5;
  --Cut: #7a1022; --Blocks: #c4283c; --NeverCompletes: #e0603d; --StaysOff: #8b3fa8; --MayStayOff: #b98bcf;
  --Unknown: #6d7480; --HandedOver: #3f6fc4; --Restarts: #e3a008; --Deferred: #8fb3d9; --LiveMigrates: #23855a;
  --Untouched: #c3cad3; --good: #1f7a52; --look: #a86c00; --bad: #b4233a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --ink: #e6eaf0; --soft: #9aa6b5; --line: #2c3542; --code: #242c37;
    --Cut: #a32a41; --Blocks: #e5566a; --NeverCompletes: #ef8363; --StaysOff: #b76fd2; --MayStayOff: #d3b0e3;
    --Unknown: #9098a5; --HandedOver: #6f9bea; --Restarts: #f0b93a; --Deferred: #7fa3c9; --LiveMigrates: #45b988;
    --Untouched: #4b5665; --good: #5ccb9b; --look: #f0b93a; --bad: #f07a8b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 32px 20px 48px; }
header { margin-bottom: 24px; }
.asked { margin: 0 0 6px; color: var(--soft); }
h1 { margin: 0; font-size: 25px; line-height: 1.3; font-weight: 650; text-wrap: pretty; display: flex; gap: 12px; }
h1 .mark { flex: none; width: 34px; height: 34px; border-radius: 50%; color: #fff; font-size: 18px; line-height: 34px; text-align: center; }
.good .mark { background: var(--good); } .look .mark { background: var(--look); } .bad .mark { background: var(--bad); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 22px; margin: 16px 0; }
h2 { margin: 0 0 12px; font-size: 16px; font-weight: 650; }
h3 { margin: 20px 0 8px; font-size: 15px; font-weight: 650; }
h3 small, h2 small { font-weight: 400; color: var(--soft); }
svg { display: block; }
.seg { stroke: var(--card); stroke-width: 2px; }
.seg-label { fill: #fff; font: 600 13px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; }
.dark-label { fill: #1c2430; }
@media (prefers-color-scheme: dark) { h1 .mark { color: #12161c; } .seg-label { fill: #12161c; } }
.legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(440px, 1fr)); gap: 3px 24px; list-style: none; margin: 14px 0 0; padding: 0; }
.legend li { display: grid; grid-template-columns: 14px 2.4em auto; gap: 8px; align-items: baseline; }
.legend b { text-align: right; font-variant-numeric: tabular-nums; }
.legend small { color: var(--soft); }
.swatch { display: inline-block; width: 12px; height: 12px; border-radius: 3px; }
.nodes { width: 100%; border-collapse: collapse; }
.nodes th, .nodes td { padding: 3px 0; border: 0; }
.nodes th { font-weight: 400; text-align: left; padding-right: 14px; white-space: nowrap; }
.nodes td:nth-child(2) { width: 99%; }
.nodes td:last-child { padding-left: 14px; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
ul { margin: 0; padding-left: 20px; }
li { margin: 3px 0; }
.later { border-collapse: collapse; }
.later th { text-align: left; font-size: 12px; color: var(--soft); }
.later td, .later th { padding: 4px 22px 4px 0; vertical-align: top; }
.vms { width: 100%; border-collapse: collapse; table-layout: fixed; }
.vms th:nth-child(1) { width: 22%; } .vms th:nth-child(2) { width: 19%; } .vms th:nth-child(3) { width: 20%; }
.vms th { text-align: left; font-size: 12px; font-weight: 600; letter-spacing: .03em; color: var(--soft); }
.vms th, .vms td { padding: 7px 14px 7px 0; border-top: 1px solid var(--line); vertical-align: top; }
.vms thead th { border-top: 0; padding-top: 0; }
.vms td { overflow-wrap: anywhere; } .vms td:last-child { padding-right: 0; }
.vms tr { break-inside: avoid; }
.name { font-weight: 600; }
code { font: 13px/1.4 ui-monospace, monospace; background: var(--code); border-radius: 4px; padding: 1px 5px; overflow-wrap: anywhere; }
details { margin-top: 4px; }
summary { cursor: pointer; color: var(--soft); font-size: 13px; }
summary:focus-visible { outline: 2px solid var(--HandedOver); outline-offset: 2px; }
dl { margin: 8px 0 4px; font-size: 13px; }
dl.pairs { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 3fr); gap: 3px 14px; }
dt { color: var(--soft); overflow-wrap: anywhere; } dd { margin: 0 0 2px 12px; overflow-wrap: anywhere; } dd code { color: var(--soft); }
ol.steps { margin: 8px 0 0; padding-left: 20px; font-size: 13px; }
footer { color: var(--soft); font-size: 13px; margin-top: 24px; }
@media (max-width: 700px) {
  .vms thead { display: none; }
  .vms tr { display: block; padding: 10px 0; border-top: 1px solid var(--line); }
  .vms td, .vms td:last-child { display: block; width: auto; border: 0; padding: 1px 0; }
  .legend { grid-template-columns: 1fr; }
  .nodes th { white-space: normal; overflow-wrap: anywhere; min-width: 7em; }
}
@media print { body { background: #fff; } section { border: 0; padding: 0; } }
`;
