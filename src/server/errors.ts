import { codedBy, type ErrorTable } from '../kubevirt/coded-error.ts';

/** What keeps a server from running, by code. The codes are stable; `cause` and `cure` are general, an error says more. */
export const SERVER_ERRORS = {
  CertificateUnreadable: {
    cause: 'The certificate or its key cannot be read, or they do not belong together.',
    cure: 'Name a PEM certificate chain with --tls-cert and its key with --tls-key, or let Drover make them with --bootstrap-certs.',
  },
  CannotListen: {
    cause: 'A port cannot be listened on: another process has it, or it is not allowed.',
    cure: 'Choose others with --port and --metrics-port.',
  },
} as const satisfies ErrorTable;

/** An error that a user can do something about. */
export class ServerError extends codedBy(SERVER_ERRORS) {
  override readonly name = 'ServerError';
}
