/** The package's entry `gemba`: the public face of the engine, which checks its options before it opens. */
export * from '../client.ts';
export { openCheckedGemba as openGemba } from './open-checked-gemba.ts';
