import {
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from '@stricli/core';
import { messageOf } from '../kubevirt/thrown.ts';
import { DroverError, ERRORS, errorText } from './errors.ts';
import { kebab } from './help/page.ts';

/**
 * What stricli prints when something is wrong, in Drover's form: what, and what to do. `command` is what the user called, as
 * far as it is one; with `debug` an error shows its stack as well.
 */
export function textFor(command: string, debug: boolean): ApplicationText {
  const failed = (error: unknown): string => {
    // One with a cure of its own keeps it.
    const isOfFlags = error instanceof DroverError && error.cure === ERRORS.WrongFlags.cure;
    const told = isOfFlags ? wrong(error.message, `See ${command} --help.`) : errorText(error);
    return debug && error instanceof Error ? `${told}\n${error.stack}` : told;
  };
  return {
    ...text_en,
    exceptionWhileParsingArguments: (error) => wrong(argumentMessage(error), `See ${command} --help.`),
    noCommandRegisteredForInput: ({ input, corrections }) =>
      wrong(
        `there is no command "${input}"`,
        corrections.length > 0 ? `Did you mean ${corrections.join(' or ')}?` : `See ${command} --help.`,
      ),
    exceptionWhileRunningCommand: failed,
    exceptionWhileLoadingCommandFunction: failed,
    exceptionWhileLoadingCommandContext: failed,
    commandErrorResult: failed,
  };
}

function wrong(message: string, cure: string): string {
  return errorText(new DroverError('WrongFlags', message, cure));
}

const MESSAGE: Parameters<typeof formatMessageForArgumentScannerError>[1] = {
  AliasNotFoundError: ({ input }) => `there is no flag -${input}`,
  FlagNotFoundError: ({ input, corrections }) =>
    `there is no flag --${input}${corrections.length > 0 ? `; did you mean --${corrections.map(kebab).join(' or --')}?` : ''}`,
  ArgumentParseError: ({ externalFlagNameOrPlaceholder, input, exception }) =>
    `${asTyped(externalFlagNameOrPlaceholder)} cannot be "${input}": ${messageOf(exception)}`,
  EnumValidationError: ({ externalFlagName, input, values }) =>
    `--${externalFlagName} cannot be "${input}": it is one of ${values.join(', ')}`,
  UnsatisfiedFlagError: ({ externalFlagName }) => `--${externalFlagName} is missing, or has no value`,
  UnexpectedFlagError: ({ externalFlagName, previousInput, input }) =>
    `--${externalFlagName} was given twice: "${previousInput}" and "${input}"`,
  UnexpectedPositionalError: ({ input }) => `"${input}" is one argument too many`,
  UnsatisfiedPositionalError: ({ placeholder }) => `the ${placeholder} is missing`,
  InvalidNegatedFlagSyntaxError: ({ externalFlagName }) => `--${externalFlagName} takes no value`,
};

/** A flag with its dashes; the placeholder of an argument lists what may stand there. */
function asTyped(flagOrPlaceholder: string): string {
  return flagOrPlaceholder.includes('|') ? flagOrPlaceholder : `--${flagOrPlaceholder}`;
}

function argumentMessage(error: unknown): string {
  if (error instanceof ArgumentScannerError) return formatMessageForArgumentScannerError(error, MESSAGE);
  return messageOf(error);
}
