export interface ProblemKind {
  /** The HTTP status. */
  status: number;
  title: string;
}
