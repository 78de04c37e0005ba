import type { LabAgentsRequest } from '../../cli/services.ts';
import { silent } from '../../controllers/silent.ts';
import { yamlView } from '../../forecast/views/yaml.ts';
import { connect } from '../../kubernetes/connect.ts';
import { nodesOf } from '../../lab/objects/first-objects.ts';
import { agentRights } from '../../lab/played/agent-rights.ts';
import { hastenedGuests, hastenedNodes } from '../../lab/played/haste.ts';
import { startLiveAgents } from '../../lab/played/live-agents.ts';
import { jsonLog } from '../../server/log.ts';
import { untilAsked } from '../until-asked.ts';
import { guestsOf } from './guests.ts';

/** `drover lab agents`: runs until the process is asked to end; nodes stay, and what is on them. */
export async function labAgents(request: LabAgentsRequest): Promise<void> {
  const asked = untilAsked();
  const { source, nodes, prefix, speed, behaviourFile, write } = request;
  const behaviorOf = hastenedGuests(guestsOf(behaviourFile), speed);
  const api = connect({ ...source, userAgent: 'drover-lab-agents' });
  try {
    const agents = await startLiveAgents({
      ...{ api, behaviorOf, times: hastenedNodes(speed) },
      signal: asked.signal,
      ...{ log: jsonLog({ level: 'warn' }), metrics: silent.metrics },
      nodes: nodesOf(nodes).map((node) => ({ ...node, name: `${prefix}${node.name}` })),
    });
    write(`${nodes} nodes are played\n`);
    await asked.promise;
    await agents.stop();
  } catch (error) {
    if (!asked.signal.aborted) throw error;
  } finally {
    await api.close();
  }
}

/** `drover lab agents --print-rbac` */
export async function labAgentRights(kubevirtNamespace: string): Promise<string> {
  return agentRights(kubevirtNamespace).map(yamlView).join('---\n');
}
