import { buildCommand } from '@stricli/core';
import type { DefaultStrategy } from '../../decide/guard/default-strategy.ts';
import type { KubeVirtVersion } from '../../decide/versions.ts';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { inputFlags } from '../flags.ts';
import {
  byteCount,
  defaultStrategy,
  durationSeconds,
  namespacedName,
  portNumber,
  text,
  url,
} from '../parsers.ts';
import type { CertificateOrigin, NamespacedName, WebhookRequest } from '../services.ts';
import { type ServerFlags, serverFlags } from './server-flags.ts';

interface Flags extends ServerFlags {
  readonly guard: boolean;
  readonly defaultStrategy?: readonly DefaultStrategy[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly bootstrapCerts: boolean;
  readonly certManagerIssuer?: string;
  readonly service?: NamespacedName;
  readonly url?: string;
  readonly secret?: NamespacedName;
  readonly printManifests: boolean;
  readonly port: number;
  readonly metricsTls: boolean;
  readonly answerWithin: number;
  readonly maxBody: number;
  readonly stopDelay: number;
  readonly kubevirtVersion?: KubeVirtVersion;
}

export const webhook = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: "Answers evictions in KubeVirt's place, or guards VMs from them",
    fullDescription: [
      "Serves KubeVirt's webhooks for evictions and for the eviction strategy of new VMIs, on a control plane without virt-api.",
      '',
      'With --guard it stands beside virt-api and adds to it:',
      '  drover.dev/eviction: never | approve | window | allow     on a VM or a namespace',
      '  drover.dev/eviction-approved: "true" or a time until which it holds',
      '  drover.dev/eviction-window: "0 2 * * 6 4h Europe/Berlin"  cron, duration, zone; several with ;',
      '  drover.dev/break-glass: "INC-7"                           on a node: everything may go',
      '  drover.dev/default-eviction-strategy: LiveMigrate         on a namespace: for its new VMIs',
    ].join('\n'),
  },
  parameters: {
    flags: {
      guard: {
        kind: 'boolean',
        default: false,
        brief: "Stand beside KubeVirt's webhooks instead of in their place",
      },
      defaultStrategy: {
        kind: 'parsed',
        parse: defaultStrategy,
        optional: true,
        variadic: true,
        placeholder: 'strategy[:labels]',
        brief:
          'With --guard: eviction strategy of new VMIs with these labels that name none; the first that fits counts; may be repeated',
      },
      tlsCert: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'file',
        brief: 'The certificate, PEM; read again when it changes',
      },
      tlsKey: { kind: 'parsed', parse: text, optional: true, placeholder: 'file', brief: 'Its key, PEM' },
      bootstrapCerts: {
        kind: 'boolean',
        default: false,
        brief:
          'Make a certificate, share it with the other replicas in a Secret, renew it, and make the API server trust it',
      },
      certManagerIssuer: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: '[kind/]name',
        brief: 'With --print-manifests: let this issuer of cert-manager make the certificate',
      },
      service: {
        kind: 'parsed',
        parse: namespacedName,
        optional: true,
        placeholder: 'namespace/name',
        brief:
          'The Service by which the API server calls; drover-system/drover-webhook, or drover-guard, if not given',
      },
      url: {
        kind: 'parsed',
        parse: url,
        optional: true,
        placeholder: 'url',
        brief: 'In place of the Service: where the API server calls',
      },
      secret: {
        kind: 'parsed',
        parse: namespacedName,
        optional: true,
        placeholder: 'namespace/name',
        brief: 'The Secret of the certificate; the name of the Service with -certs if not given',
      },
      printManifests: {
        kind: 'boolean',
        default: false,
        brief: 'Print the webhook configurations for kubectl apply, and end',
      },
      bindAddress: serverFlags.bindAddress,
      port: {
        kind: 'parsed',
        parse: portNumber,
        default: '9443',
        placeholder: 'port',
        brief: 'For reviews, HTTPS',
      },
      metricsPort: serverFlags.metricsPort,
      metricsTls: { kind: 'boolean', default: false, brief: 'These by HTTPS too, with the same certificate' },
      answerWithin: {
        kind: 'parsed',
        parse: durationSeconds,
        default: '8s',
        placeholder: 'duration',
        brief:
          'When a review is answered though the API server is not heard of; four fifths of its own time-out if that is shorter',
      },
      maxBody: {
        kind: 'parsed',
        parse: byteCount,
        default: '4Mi',
        placeholder: 'bytes',
        brief: 'The largest review that is read',
      },
      stopDelay: {
        kind: 'parsed',
        parse: durationSeconds,
        default: '5s',
        placeholder: 'duration',
        brief: 'How long to go on after the signal to end, until nobody calls any more',
      },
      logLevel: {
        ...serverFlags.logLevel,
        brief: 'The least that is logged; refusals are info, what is let through is debug',
      },
      context: serverFlags.context,
      kubeconfig: serverFlags.kubeconfig,
      kubevirtVersion: {
        ...inputFlags.kubevirtVersion,
        brief: "Behave as this KubeVirt version, whatever the cluster's KubeVirt object says",
      },
      behavior: serverFlags.behavior,
    },
  },
  async func(flags) {
    const request = requestOf(flags);
    if (flags.printManifests) this.process.stdout.write(await this.services.webhookManifests(request));
    else await this.services.webhook({ ...request, certificate: certificateOf(flags) });
  },
});

function requestOf(flags: Flags): Omit<WebhookRequest, 'certificate'> {
  const { guard, defaultStrategy: defaults = [], context, kubeconfig } = flags;
  if (!guard && defaults.length > 0)
    throw new DroverError('WrongFlags', '--default-strategy goes with --guard');
  const service = flags.service ?? {
    namespace: 'drover-system',
    name: guard ? 'drover-guard' : 'drover-webhook',
  };
  return {
    guard,
    defaults,
    service,
    url: flags.url,
    certManagerIssuer: flags.certManagerIssuer,
    secret: flags.secret ?? { ...service, name: `${service.name}-certs` },
    source: { context, kubeconfig },
    behavior: flags.behavior,
    kubevirtVersion: flags.kubevirtVersion,
    bindAddress: flags.bindAddress,
    port: flags.port,
    metricsPort: flags.metricsPort,
    metricsTls: flags.metricsTls,
    answerWithinSeconds: flags.answerWithin,
    mostBytes: flags.maxBody,
    stopDelaySeconds: flags.stopDelay,
    logLevel: flags.logLevel,
  };
}

function certificateOf({ tlsCert, tlsKey, bootstrapCerts }: Flags): CertificateOrigin {
  const files = [tlsCert, tlsKey].filter((file) => file !== undefined).length;
  if (bootstrapCerts && files === 0) return 'bootstrap';
  if (bootstrapCerts || tlsCert === undefined || tlsKey === undefined)
    throw new DroverError('WrongFlags', 'give either --tls-cert with --tls-key, or --bootstrap-certs');
  return { certificateFile: tlsCert, keyFile: tlsKey };
}
