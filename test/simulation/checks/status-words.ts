/** The status of a device, in the words of a trace and of a search. */
import type { Status } from '../../../client/client.ts';

/** The status in a line of the trace. */
export const lineOf = ({ phase, pending, attention, error }: Status): string =>
  `is ${phase}, ${pending} pending, ${attention} need attention${error ? `, ${error.code}` : ''}`;

/** The status as a state that a search wants to have seen. */
export const stateOf = ({ phase, error, pending, attention, second_copy }: Status): string =>
  [
    phase,
    error?.code ?? 'no error',
    pending > 0 ? 'pending' : 'all sent',
    attention > 0 ? 'attention' : '',
    second_copy,
  ]
    .filter((part) => part !== '')
    .join(', ');
