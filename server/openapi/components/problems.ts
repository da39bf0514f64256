import { FieldErrorBody, ProblemBody } from '../../../shared/schema/answers.ts';
import { answerSchema, type Component } from '../component.ts';

export const problemComponents: Record<string, Component> = {
  Problem: answerSchema(ProblemBody, {
    description: 'Why a request was refused (RFC 9457). Some codes carry members of their own.',
    fields: {
      type: 'Where the reference explains the code.',
      title: 'The kind of problem, in a few words.',
      status: 'The HTTP status.',
      detail: 'What went wrong this time, for people.',
      code: 'The kind of problem, for programs. It is stable.',
      request_id: 'Names the request in the logs. Absent in problems that travel inside a sync answer.',
      errors: 'The wrong fields, up to a hundred, when the request breaks the schema.',
    },
  }),

  FieldError: answerSchema(FieldErrorBody, {
    description: 'A wrong field.',
    fields: {
      path: 'A JSON Pointer (RFC 6901) to the field.',
      message: 'What was expected there.',
    },
  }),
};
