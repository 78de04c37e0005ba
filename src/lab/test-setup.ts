import type { TestProject } from 'vitest/node';
import { buildLabAssets, buildPromtool, findLabAssets, hasGo } from './assets.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the lab's binaries; empty where there are none and none can be built. */
    labAssets: string;
    /** The real promtool; empty where there is no Go to build it with. */
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
  project.provide('promtool', hasGo() ? buildPromtool(say) : '');
  return folder === '' ? () => tellLeftOut(project) : undefined;
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
