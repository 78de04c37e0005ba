/** What keeps a controller from running, by code. The codes are stable. */
export const CONTROLLER_ERRORS = {
  TwoUpdaters: {
    cause:
      "Drover has a strategy of its own while the KubeVirt CR has methods too, so KubeVirt's updater would act beside it.",
    cure: 'Empty spec.workloadUpdateStrategy.workloadUpdateMethods in the KubeVirt CR, or run Drover without a strategy of its own.',
  },
} as const satisfies Record<string, { cause: string; cure: string }>;
export type ControllerErrorCode = keyof typeof CONTROLLER_ERRORS;

/** An error that an operator can do something about. */
export class ControllerError extends Error {
  override readonly name = 'ControllerError';
  readonly code: ControllerErrorCode;
  readonly cure: string;

  constructor(code: ControllerErrorCode, message: string) {
    super(message);
    this.code = code;
    this.cure = CONTROLLER_ERRORS[code].cure;
  }
}

/** What an unknown thrown value says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
