/** A file of its own, so that the code of exports loads when a person opens an export. */
export { exportFacts } from '../../../client.ts';
