/** The groups of operations. The document lists the groups in this order. */
export const tagDescriptions = {
  Maps: 'A map is a named sequence of stages. Deleting one puts it into a recycle bin, from which it can be restored.',
  Stages: 'The stages of a map stand at the positions 1, 2, 3... without gaps. `If-Match` takes the ETag of the map.',
  Recordings:
    'A recording is what a device observed: its steps, in order. They become the stages of a map, and the recording as a whole becomes a run.',
  Runs: 'A run is a numbered observation of a map: what a recording became. It never changes.',
  Photos:
    'A photo is named by the SHA-256 of its bytes. It is declared, uploaded by tus 1.0, checked and then stored; it never changes. A step refers to it as `sha256:<hex>`.',
  Exports:
    'The runs as files for spreadsheets, statistics and process mining. A file shows the account at one version, whatever is written meanwhile.',
  Imports: 'Recordings that other tools made, from files.',
  Events: 'What changed in the account, for other systems to follow: each change once, in order, for 30 days.',
  Webhooks: 'Endpoints of other systems to which the server posts the events of the account.',
  Access:
    'Tokens are API keys of an account, or belong to a device that was paired with a code. Only their hashes are stored: a token is shown once, in the answer that makes it.',
  Billing:
    'What the account pays for. These routes exist only on servers with a payment service; otherwise the operator sets plan and seats.',
  Sync: 'How a device that is often offline keeps up: it pushes what happened on it and pulls what changed. Each request carries `Gemba-Protocol: 1`.',
  Operator:
    "Accounts are made and changed by the operator, with the token of the server's variable `GEMBA_ADMIN_TOKEN`. Without the variable there are no such routes.",
  Service: 'The state of the server, and this document.',
};

export type TagName = keyof typeof tagDescriptions;
