/** A question that cannot be asked of this cluster. The command line prints it with its cure and exits with 2. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
  readonly code: 'UnknownNode' | 'UnknownVm' | 'WrongSetting' | 'NoKubeVirt';
  readonly cure: string;

  constructor(code: QuestionError['code'], message: string, cure: string) {
    super(message);
    this.code = code;
    this.cure = cure;
  }
}
