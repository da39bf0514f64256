import { Type } from 'typebox';
import { Closed, Described } from './fields.ts';

const FieldErrorBody = Closed(
  {
    path: Described(Type.String(), 'A JSON Pointer (RFC 6901) to the field.'),
    message: Described(Type.String(), 'What was expected there.'),
  },
  { title: 'FieldError', description: 'A wrong field.' },
);

/** The body of an error, as RFC 9457 defines it. */
export const ProblemBody = Type.Object(
  {
    type: Described(Type.String({ format: 'uri-reference' }), 'Where the reference explains the code.'),
    title: Described(Type.String(), 'The kind of problem, in a few words.'),
    status: Described(Type.Integer({ minimum: 400, maximum: 599 }), 'The HTTP status.'),
    detail: Described(Type.String(), 'What went wrong this time, for people.'),
    code: Described(Type.String(), 'The kind of problem, for programs. It is stable.'),
    request_id: Described(
      Type.Optional(Type.String()),
      'Names the request in the logs. Absent in problems that travel inside a sync answer.',
    ),
    errors: Described(
      Type.Optional(Type.Array(FieldErrorBody)),
      'The wrong fields, up to a hundred, when the request breaks the schema.',
    ),
  },
  {
    title: 'Problem',
    description: 'Why a request was refused (RFC 9457). Some codes carry members of their own.',
  },
);
