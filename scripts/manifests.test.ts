import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { CHART, KUSTOMIZE, kustomizeFiles, labFiles, webhookFiles } from './manifest-files.ts';

describe('what is derived', () => {
  it('is what `npm run manifests` writes', async () => {
    const files = [...webhookFiles(), ...labFiles(), ...(await kustomizeFiles())];
    for (const [path, text] of files) expect(readFileSync(path, 'utf8'), path).toBe(text);
    const written = readdirSync(KUSTOMIZE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`);
    expect(written.sort()).toEqual(
      files
        .map(([path]) => path)
        .filter((path) => path.startsWith(KUSTOMIZE))
        .sort(),
    );
  });

  it('the chart is of the version of the program', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(load(readFileSync(`${CHART}/Chart.yaml`, 'utf8'))).toMatchObject({ version, appVersion: version });
  });
});
