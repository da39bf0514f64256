/** Re-exports the limits from a module of their own, so that their code loads only when a person opens an export. */
export { exportFacts } from '../../../client.ts';
