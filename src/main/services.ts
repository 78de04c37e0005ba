import type { Services } from '../cli/services.ts';
import { requireWritable, writeOutput } from './output-file.ts';
import { untilAsked } from './until-asked.ts';

/** One line for each; the code behind it loads when it is asked for. */
export const services: Services = {
  webhook: async (request) => (await import('./webhook.ts')).runWebhook(request),
  webhookManifests: async (request) =>
    (await import('./webhook/webhook-manifests.ts')).webhookManifests(request),
  controller: async (request) => (await import('./controller.ts')).runController(request),
  strategy: async (...asked) => (await import('./strategy-origin.ts')).readStrategy(...asked),
  follow: async (...asked) => (await import('./follow.ts')).follow(...asked),
  check: async (...asked) => (await import('./check.ts')).check(...asked),
  lab: {
    up: async (request) => (await import('./lab/up.ts')).labUp(request),
    upgrade: async (...asked) => (await import('./lab/others.ts')).labUpgrade(...asked),
    status: async (...asked) => (await import('./lab/others.ts')).labStatus(...asked),
    down: async (...asked) => (await import('./lab/others.ts')).labDown(...asked),
    agents: async (request) => (await import('./lab/agents.ts')).labAgents(request),
    run: async (request) => (await import('./lab/run.ts')).labRun(request),
    agentRights: async (namespace) => (await import('./lab/agents.ts')).labAgentRights(namespace),
  },
  simulate: async (request, watch) => {
    const { signal } = untilAsked();
    return (await import('./simulate.ts')).simulate(request, { ...watch, signal });
  },
  writeFile: writeOutput,
  requireWritable,
};
