import { counted } from '../../../kubevirt/words.ts';
import { type Alternative, OUTCOMES, type Outcome, type VmVerdict } from '../../forecast.ts';
import { remedyPieces } from '../cure.ts';
import { ADVICE_STYLE, advice } from '../html/advice.ts';
import { html, NOTHING, type Safe } from '../html/escape.ts';
import { evidenceList } from '../html/evidence.ts';
import { EXPLAIN_STYLE } from '../html/explain-style.ts';
import { pageOf } from '../html/page.ts';
import { outcomeBar } from '../html/picture.ts';
import { askedDetails, textSection } from '../html/sections.ts';
import { stageList } from '../html/trace.ts';
import { outcomePill, waysPicture } from '../html/ways.ts';
import { markOfOutcome } from '../mark.ts';
import { besides, type Explanation, type Way, waysOf, worstCounts, worstOf } from './explanation.ts';

/**
 * The page of one VM, or of several: its way on every occasion as a picture, then for each what to do, what would change
 * the answer, and every rule that was tried with what it read.
 */
export function explainHtmlView(explanations: readonly Explanation[]): string {
  const isOne = explanations.length === 1;
  return pageOf({
    asked: isOne ? titleOf(explanations[0]) : `explain · ${counted(explanations.length, 'VM')}`,
    answer: answerOf(explanations),
    mark: markOfOutcome(worstOf(...explanations)?.outcome),
    style: ADVICE_STYLE + EXPLAIN_STYLE,
    sections: [
      isOne ? NOTHING : overview(explanations),
      ...explanations.flatMap((explanation, index) => vmSections(explanation, `vm${index + 1}`, isOne)),
      textSection(
        'Not in the input',
        besides(explanations, ({ missing }) => missing),
      ),
      textSection(
        'Warnings',
        besides(explanations, ({ warnings }) => warnings),
      ),
      textSection(
        'Good to know',
        besides(explanations, ({ notes }) => notes),
      ),
    ],
  });
}

function titleOf(explanation: Explanation | undefined): string {
  const [way] = explanation ? waysOf(explanation) : [];
  const node = way?.verdict.node === undefined ? [] : [`on ${way.verdict.node}`];
  const version = way ? [`KubeVirt ${way.forecast.spec.kubevirtVersion}`] : [];
  return [`explain ${explanation?.vm ?? ''}`, ...node, ...version].join(' · ');
}

/** Of one VM the worst that is foretold, of several how many fare how at the worst. */
function answerOf(explanations: readonly Explanation[]): string {
  const worst = worstOf(...explanations);
  if (!worst) return 'Nothing is foretold.';
  if (explanations.length === 1) return worst.message;
  const counts = worstCounts(explanations);
  const words = OUTCOMES.filter((outcome) => counts.has(outcome)).map(
    (outcome) => `${counts.get(outcome)} ${outcome}`,
  );
  return `At the worst: ${words.join(', ')}.`;
}

function overview(explanations: readonly Explanation[]): Safe {
  const counts = worstCounts(explanations);
  if (counts.size === 0) return NOTHING;
  return html`<section><h2>${counted(explanations.length, 'VM')} <small>by the worst that is foretold</small></h2>
${outcomeBar(counts, 36, true)}
<ul class="overview">${explanations.map((explanation, index) => overviewItem(explanation, `vm${index + 1}`))}</ul></section>`;
}

function overviewItem(explanation: Explanation, anchor: string): Safe {
  const outcome = worstOf(explanation)?.outcome;
  if (outcome === undefined) return html`<li>${explanation.vm}</li>`;
  return html`<li>${swatch(outcome)} <a href="#${anchor}">${explanation.vm}</a> ${outcome}</li>`;
}

function vmSections(explanation: Explanation, anchor: string, isOne: boolean): Safe[] {
  const ways = waysOf(explanation);
  if (ways.length === 0) return [];
  const anchorOf = (index: number): string => `${anchor}-${index + 1}`;
  const title = isOne ? 'What becomes of it' : explanation.vm;
  const picture = html`<section id="${anchor}"><h2>${title} <small>decision by decision</small></h2>${waysPicture(ways, anchorOf)}</section>`;
  return [picture, ...ways.map((way, index) => waySection(way, anchorOf(index)))];
}

function waySection({ occasion, forecast, verdict }: Way, anchor: string): Safe {
  const { stages, evidence } = verdict;
  return html`<section class="way" id="${anchor}"><h2>${outcomePill(verdict.outcome)}<span>${occasion} <small>${forecast.spec.title}</small></span></h2>
<dl class="facts">${facts(verdict).map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`)}</dl>
${stages.length > 0 ? html`<h3>Decision by decision</h3>${stageList(stages, anchor)}` : NOTHING}${
  stages.length === 0 && evidence.length > 0 ? html`<h3>What decided</h3>${evidenceList(evidence)}` : NOTHING
}${askedDetails(forecast.spec)}</section>`;
}

function facts(verdict: VmVerdict): [string, Safe][] {
  const { message, reason, batch, answer, remedies, alternatives = [] } = verdict;
  return [
    ['Why', html`${message} <code>${reason}</code>`],
    ...fact('Eviction batch', batch, (told) => html`${told}`),
    ...fact('An eviction gets', answer, (told) => html`<code>${told.code}</code> ${told.message}`),
    ...fact('What to do', some(remedies), (told) => html`${told.map((text) => advice(remedyPieces(text)))}`),
    ...fact('What would change it', some(alternatives), changes),
  ];
}

function some<T>(texts: readonly T[]): readonly T[] | undefined {
  return texts.length > 0 ? texts : undefined;
}

function fact<T>(name: string, told: T | undefined, show: (told: T) => Safe): [string, Safe][] {
  return told === undefined ? [] : [[name, show(told)]];
}

function changes(alternatives: readonly Alternative[]): Safe {
  return html`<table class="changes"><tbody>${alternatives.map(
    ({ change, outcome, reason }) =>
      html`<tr><td>if ${change}</td><td>${swatch(outcome)} ${outcome}</td><td><code>${reason}</code></td></tr>`,
  )}</tbody></table>`;
}

function swatch(outcome: Outcome): Safe {
  return html`<span class="swatch" style="background:var(--${outcome})"></span>`;
}
