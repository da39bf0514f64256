/** The words in the drawing of a value stream. A test checks that they equal the words of the app. */
import type { WorkType } from '../schema/fields.ts';
import type { MapRecord } from '../schema/map.ts';

export const drawingLanguages = ['en', 'de'] as const;
export type DrawingLanguage = (typeof drawingLanguages)[number];

export interface DrawingWords {
  title: string;
  states: Record<MapRecord['state'], string>;
  stages(count: number): string;
  lead: string;
  pce: string;
  cycle: string;
  valueAdd: string;
  wait: string;
  workTypes: Record<WorkType, string>;
  waits(time: string): string;
  unjudged: string;
  scale: string;
  ladder: string;
  decimalPoint: string;
  percent: string;
}

export const drawingWords: Record<DrawingLanguage, DrawingWords> = {
  en: {
    title: 'Value stream',
    states: { current: 'Current state', future: 'Future state' },
    stages: (count) => `${count} ${count === 1 ? 'stage' : 'stages'}`,
    lead: 'Lead time',
    pce: 'Process cycle efficiency (PCE)',
    cycle: 'Cycle time',
    valueAdd: 'Value-add time',
    wait: 'Waiting',
    workTypes: { valuable: 'Valuable', incidental: 'Incidental', waste: 'Waste' },
    waits: (time) => `after ${time} of waiting`,
    unjudged: 'PCE counts the time of valuable work. Set the work types first: all of this is still incidental.',
    scale: 'To scale: work above the line, waiting below',
    ladder: 'Stages in order: the cycle time in the box, the waiting before it in the valley',
    decimalPoint: '.',
    percent: '%',
  },
  de: {
    title: 'Wertstrom',
    states: { current: 'Ist-Zustand', future: 'Soll-Zustand' },
    stages: (count) => `${count} ${count === 1 ? 'Abschnitt' : 'Abschnitte'}`,
    lead: 'Durchlaufzeit',
    pce: 'Prozesseffizienz (PCE)',
    cycle: 'Zykluszeit',
    valueAdd: 'Wertschöpfende Zeit',
    wait: 'Wartezeit',
    workTypes: { valuable: 'Wertschöpfend', incidental: 'Unterstützend', waste: 'Verschwendung' },
    waits: (time) => `nach ${time} Wartezeit`,
    unjudged:
      'Die PCE zählt wertschöpfende Zeit. Bitte zuerst die Art der Arbeit festlegen: Noch ist alles unterstützend.',
    scale: 'Maßstäblich: Arbeit über der Linie, Wartezeit darunter',
    ladder: 'Abschnitte der Reihe nach: Zykluszeit im Kasten, Wartezeit davor im Tal',
    decimalPoint: ',',
    percent: '\u00a0%',
  },
};
