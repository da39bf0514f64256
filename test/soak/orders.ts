/** An order is a line of the input of a device's process. */
export type Order =
  | { what: 'createMap'; name: string }
  | { what: 'rename'; mapId: string; name: string }
  | { what: 'start'; mapId: string }
  | { what: 'step'; name: string }
  | { what: 'finish' | 'discard' | 'underWay' | 'status' | 'shown' }
  | { what: 'custody'; session: string };

/** The answer to `underWay`. */
export interface UnderWay {
  session: string;
  steps: string[];
}
