/** The entry `gemba`: the public face of the engine, whose options are checked before it opens. */
export * from '../client.ts';
export { openCheckedGemba as openGemba } from './open-checked-gemba.ts';
