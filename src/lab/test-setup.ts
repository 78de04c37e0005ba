import type { TestProject } from 'vitest/node';
import { messageOf } from '../kubevirt/thrown.ts';
import { buildLabAssets, buildPromtool, findLabAssets, hasGo } from './control-plane/assets.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the lab's binaries; empty where there are none and none can be built. */
    labAssets: string;
    /** The real promtool; empty where it could not be built. */
    promtool: string;
  }
}

/**
 * Before the lab's tests: builds the binaries where they are missing and Go is there. Afterwards: says how many tests were
 * left out for want of them, which under CI is a failure.
 */
export function setup(project: TestProject): (() => void) | undefined {
  const say = (line: string): void => console.error(`lab: ${line}`);
  const folder = findLabAssets() ?? (hasGo() ? buildLabAssets(undefined, say) : '');
  project.provide('labAssets', folder);
  project.provide('promtool', promtool(say));
  return folder === '' ? () => tellLeftOut(project) : undefined;
}

/** Only one test needs it, so the others run without. */
function promtool(say: (line: string) => void): string {
  try {
    return hasGo() ? buildPromtool(say) : '';
  } catch (error) {
    say(messageOf(error));
    return '';
  }
}

function tellLeftOut(project: TestProject): void {
  const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
  const count = modules.reduce((sum, { children }) => sum + [...children.allTests()].length, 0);
  console.error(
    `\n${'='.repeat(100)}\n${count} tests need a real kube-apiserver and were LEFT OUT.\n` +
      'Install Go (npm run lab:assets then builds one), or set KUBEBUILDER_ASSETS.\n' +
      `${'='.repeat(100)}\n`,
  );
  if (process.env.CI === 'true') process.exitCode = 1;
}
