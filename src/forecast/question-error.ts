import { CodedError } from '../kubevirt/coded-error.ts';

/** A question that cannot be asked of this cluster. */
export class QuestionError extends CodedError<'UnknownNode' | 'UnknownVm' | 'WrongSetting' | 'NoKubeVirt'> {
  override readonly name = 'QuestionError';
}
