/** What the phone alone says, in addition to `texts.ts`; translated with it. */
import { number } from '../texts.ts';

export const words = {
  save: 'Save',
  add: 'Add',
  none: '–',

  flow: {
    title: 'Value stream',
    lead: 'Lead time',
    pce: 'PCE',
    pceLong: 'Process cycle efficiency',
    valueAdd: 'Value-add time',
    wait: 'Waiting',
    picture: (cycle: string, wait: string) => `Value stream, to scale: ${cycle} of work, ${wait} of waiting`,
  },

  stage: {
    add: 'Add stage',
    edit: 'Edit stage',
    name: 'What is done',
    nameHint: 'For example: Press, or Wait for the crane.',
    cycle: 'Cycle time',
    wait: 'Wait before it',
    unit: (of: string) => `Unit of: ${of}`,
    units: { second: 'sec', minute: 'min', hour: 'hr', day: 'days' },
    workType: 'Work type',
    waits: (time: string) => `after ${time} of waiting`,
    remove: 'Delete stage',
    removed: (name: string) => `${name} deleted`,
    move: (name: string) => `Move ${name}`,
    moveHint: 'Drag it, or press the arrow keys.',
    up: 'Move up',
    down: 'Move down',
    at: (position: number, of: number) => `Position ${number(position)} of ${number(of)}`,
    moved: (name: string, position: number, of: number) => `${name} is at ${number(position)} of ${number(of)} now`,
    unnamed: 'Say what is done here.',
    noTime: 'Type a number from 0, such as 1.5.',
    emptyTitle: 'No stages yet',
    emptyText: 'Record the process once: each step becomes a stage with its time. Or add the stages by hand.',
  },
};
