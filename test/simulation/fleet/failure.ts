/** The ways in which a history can be wrong. */
export type FailureKind =
  | 'lost recording'
  | 'doubled recording'
  | 'custody false'
  | 'lost taps'
  | 'lost edit'
  | 'out of order'
  | "another's answer"
  | 'wrong reason'
  | 'unlike the server'
  | 'not quiet'
  | 'server error'
  | 'unlike the model'
  | 'torn view'
  | 'vanished'
  | 'shown twice'
  | 'wrong count'
  | 'grows'
  | 'left behind'
  | 'thrown';

export interface SeedFailure {
  kind: FailureKind;
  detail: string;
}
