/**
 * Holds the public types in `api` against the sources: what one takes and gives, the other does, too. `tsc` checks it, and
 * nothing runs it.
 */
import type * as Published from '../../api/gemba.d.ts';
import type * as PublishedServer from '../../api/gemba-server.d.ts';
import type * as Source from '../../client/client.ts';
import type * as SourceServer from '../../server/server.ts';

/** Fails to compile unless each type can stand for the other one. */
type Same<First extends Second, Second extends Returned, Returned = First> = [First, Second];

export type SameTypes = [
  Same<Source.Gemba, Published.Gemba>,
  Same<Source.ScopedGemba, Published.ScopedGemba>,
  Same<Source.EarlyEngine, Published.EarlyEngine>,
  Same<Source.Recording, Published.Recording>,
  Same<Source.Attention, Published.Attention>,
  Same<Source.Status, Published.Status>,
  Same<Source.HandOver, Published.HandOver>,
  Same<Source.Carrier, Published.Carrier>,
  Same<Source.ImportReport, Published.ImportReport>,
  Same<Source.UnsentFile, Published.UnsentFile>,
  Same<Source.FullMap, Published.FullMap>,
  Same<Source.RunDoc, Published.RunDoc>,
  Same<Source.Comparison, Published.Comparison>,
  // A scope is opaque to its user.
  Same<Omit<Source.GembaOptions, 'scope'>, Omit<Published.GembaOptions, 'scope'>>,
  Same<SourceServer.GembaServerOptions, PublishedServer.GembaServerOptions>,
  Same<SourceServer.GembaServer, PublishedServer.GembaServer>,
];
