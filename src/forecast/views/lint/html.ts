import type { Evidence } from '../../../decide/rules.ts';
import { counted } from '../../../kubevirt/words.ts';
import {
  type Finding,
  type LintReport,
  SEVERITIES,
  SEVERITY_MEANING,
  type Severity,
} from '../../lint/finding.ts';
import { curePieces } from '../cure.ts';
import { ADVICE_STYLE, advice } from '../html/advice.ts';
import { stackedBar } from '../html/bar.ts';
import { html, NOTHING, type Safe } from '../html/escape.ts';
import { evidenceList } from '../html/evidence.ts';
import { LINT_STYLE } from '../html/lint-style.ts';
import { pageOf } from '../html/page.ts';
import { textSection } from '../html/sections.ts';
import { MARK_OF_SEVERITY, namesByKind, titleOfReport, worstOfReport } from './report.ts';

/** More objects of a kind than this are folded away. */
const OBJECTS_SHOWN = 12;

/** The page of a lint report: the findings in a picture, then each with its cause, its cure and every object. */
export function lintHtmlView(report: LintReport): string {
  const { findings, summary, notChecked } = report.status;
  return pageOf({
    asked: titleOfReport(report),
    answer: summary,
    mark: MARK_OF_SEVERITY[worstOfReport(report) ?? 'info'],
    style: ADVICE_STYLE + LINT_STYLE,
    sections: [
      picture(report),
      ...findings.map((finding, index) => findingSection(finding, isFirstOfCode(findings, index))),
      textSection(
        'Not checked, since the input lacks something',
        notChecked.map(({ code, name, needs }) => `${code} ${name}: needs ${needs.join(', ')}`),
      ),
    ],
  });
}

function picture({ status }: LintReport): Safe {
  const { findings, counts } = status;
  if (findings.length === 0) return NOTHING;
  const parts = SEVERITIES.map((name) => ({
    name,
    count: counts[name],
    says: countedAs(name, counts[name]),
  }));
  return html`<section><h2>${counted(findings.length, 'finding')} <small>by severity</small></h2>
${stackedBar(parts, 36, true)}
<ul class="legend">${parts.filter(({ count }) => count > 0).map(legend)}</ul>
<h3>By trap <small>and the objects that are in it</small></h3>
${trapTable(findings)}</section>`;
}

function countedAs(severity: Severity, count: number): string {
  return severity === 'info' ? `${count} for information` : counted(count, severity);
}

function legend({ name, count }: { readonly name: Severity; readonly count: number }): Safe {
  return html`<li>${swatch(name)}<b>${count}</b><span>${name} <small>${SEVERITY_MEANING[name]}</small></span></li>
`;
}

function swatch(severity: Severity): Safe {
  return html`<span class="swatch" style="background:var(--${severity})"></span>`;
}

interface Trap {
  readonly finding: Finding;
  readonly objects: ReadonlySet<string>;
}

/** One bar for each code, as long as its share of objects; the code leads to its first finding. */
function trapTable(findings: readonly Finding[]): Safe {
  const traps = trapsOf(findings);
  const most = Math.max(1, ...traps.map(({ objects }) => objects.size));
  return html`<table class="nodes"><tbody>${traps.map(({ finding, objects }) => {
    const count = objects.size;
    const bar = stackedBar([{ name: finding.severity, count, says: counted(count, 'object') }], 14, false);
    return html`<tr><th scope="row"><a href="#${finding.code}">${finding.code}</a> ${finding.name}</th><td><div style="width:${((count / most) * 100).toFixed(2)}%">${bar}</div></td><td>${count}</td></tr>
`;
  })}</tbody></table>`;
}

function trapsOf(findings: readonly Finding[]): Trap[] {
  const codes = [...new Set(findings.map(({ code }) => code))];
  return codes.flatMap((code) => {
    const alike = findings.filter((finding) => finding.code === code);
    const [finding] = alike;
    return finding ? [{ finding, objects: new Set(alike.flatMap(({ objects }) => objects)) }] : [];
  });
}

function isFirstOfCode(findings: readonly Finding[], index: number): boolean {
  return findings.findIndex(({ code }) => code === findings[index]?.code) === index;
}

function findingSection(finding: Finding, isFirst: boolean): Safe {
  const { severity, code, name, title, cause, cure, objects, evidence } = finding;
  const anchor = isFirst ? html` id="${code}"` : NOTHING;
  return html`<section class="finding ${severity}"${anchor}><h2>${swatch(severity)} ${code} ${name} <small>${severity}</small></h2>
<p class="title">${title}</p>
<dl class="facts"><dt>Why</dt><dd>${cause}</dd>
<dt>What to do</dt><dd>${advice(curePieces(cure))}</dd>
${objects.length > 0 ? html`<dt>${counted(objects.length, 'object')}</dt><dd>${objectLists(objects)}</dd>\n` : NOTHING}${evidence.length > 0 ? read(evidence) : NOTHING}</dl></section>`;
}

function read(evidence: readonly Evidence[]): Safe {
  return html`<dt>Read</dt><dd><details><summary>${counted(evidence.length, 'field')} that decided</summary>${evidenceList(evidence)}</details></dd>`;
}

function objectLists(refs: readonly string[]): Safe[] {
  return [...namesByKind(refs)].map(([kind, names]) => {
    const [shown, more] = [names.slice(0, OBJECTS_SHOWN), names.slice(OBJECTS_SHOWN)];
    const rest = html`<details><summary>${more.length} more</summary>${chips(more)}</details>`;
    return html`<div class="objects"><small>${kind}</small>${chips(shown)}${more.length > 0 ? rest : NOTHING}</div>`;
  });
}

function chips(names: readonly string[]): Safe {
  return html`<p>${names.map((name) => html`<code>${name}</code> `)}</p>`;
}
