/** The texts of carrying and of handing over on a phone. */
import { countText, numberText } from '../format.ts';

export const carryTexts = {
  title: 'Carry for others',
  why: 'Point the camera at a watch or a phone that hands over: this phone takes its runs along and sends them. They are sealed, so nobody can read them on this phone.',
  open: 'Open the camera',
  close: 'Close the camera',
  view: 'Picture of the camera',
  aim: 'Hold the phone in front of the other screen, about a hand away.',
  progress: (have: number, total: number) => `${numberText(have)} of ${numberText(total)} codes`,
  taken: 'All codes taken',
  takenWhy: 'The watch can stop showing them.',
  full: 'This phone has no room for more. Let it send what it has.',
  notStored: 'This phone could not store it. Free some space, and keep the camera on the watch.',
  otherServer: 'This watch belongs to another server. This phone cannot carry for it.',
  refused: 'The server cannot open this hand-over. It all stays on the watch, which needs its network once.',
  denied: "Gemba may not use the camera. Allow it in the browser's settings of this site.",
  noCamera: 'No camera was found.',
  noReader: 'The camera could not be started. Close it and try again, with a network if there is one.',
  receipts: 'Codes for the watches',
  watch: (name: string) => `Hand-over ${name}`,
  typeThis: 'Type this on the watch:',
  sent: 'Sent.',
  waiting: 'Waits for the network',
  taken_at: (ago: string) => `Taken ${ago}`,
  carried: 'On this phone for others',
  nothing: 'Nothing at the moment.',
  amount: 'How much',
  messages: (messages: number, size: string) => `${countText(messages, 'hand-over', 'hand-overs')}, ${size}`,
  oldest: 'The oldest',
  limits: 'It keeps at most 64 hand-overs and 16 MB, for 14 days. They are sent after your own work.',
  setting: 'Carry for others',
  settingOn: 'Take hand-overs of others',
  settingWhy: 'When this is off, the phone takes nothing more, and still sends what it has.',
  off: 'Carrying is switched off on this phone.',
};

const recordingsText = (recordings: number) => countText(recordings, 'recording', 'recordings');
const ofRecordings = (given: number, recordings: number) => `${numberText(given)} of ${recordingsText(recordings)}`;

/** The texts on a phone that hands over to another phone. */
export const giveHandOverTexts = {
  title: 'Hand over to a phone',
  preparing: 'Preparing…',
  nothing: 'Nothing to hand over',
  nothingWhy: 'All your work is safe on the server.',
  what: (recordings: number, changes: number) => {
    const others = countText(changes, 'other change', 'other changes');
    if (recordings === 0) return countText(changes, 'change', 'changes');
    return changes === 0 ? recordingsText(recordings) : `${recordingsText(recordings)} and ${others}`;
  },
  finishing: 'A recording that was just finished can be handed over after 10 seconds.',
  awaited: 'Handed over before. The answer of the server is still to come.',
  sealed: (size: string) => `${size}, sealed. The other phone takes it to the server and cannot read it.`,
  kept: 'All of it also stays on this phone until the server has confirmed it. The other phone keeps it for 14 days at most.',
  sameNetwork: 'Both phones must be in the same Wi-Fi, or in the hotspot of one of them. It needs no internet.',
  start: 'Show my code',
  show: 'Show this to the other phone',
  showHow: 'On the other phone tap Sync, Carry for others, Open the camera.',
  code: 'QR code for the other phone',
  read: 'Read its code',
  readTitle: 'Read the other code',
  readHow: 'Hold this phone over the other one, which shows a code as soon as it has read yours.',
  showAgain: 'Show my code again',
  earlierCode: 'That code belongs to an earlier try. Show your code again, and let the other phone read it.',
  otherGives: 'The other phone is handing over, too. On that one open Carry for others.',
  noCode: 'That is not the code of the other phone.',
  connecting: 'Connecting…',
  connectingWhy: 'Keep both screens on. If it takes more than half a minute, check that both are in one network.',
  giving: 'Connected: handing over',
  given: (given: number, recordings: number) => `${ofRecordings(given, recordings)} handed over`,
  givenBytes: (given: string, all: string) => `${given} of ${all} handed over`,
  safe: (recordings: number) => `${recordingsText(recordings)} safe on the server`,
  awaits: 'The other phone sends them now. Wait for the answer, or end here.',
  stayClose: 'Keep both screens on.',
  stop: 'End',
  again: 'Begin again',
  done: 'Done',
  ended: {
    safe: { title: 'Safe on the server', why: 'The other phone is not needed any more.' },
    attention: {
      title: 'Arrived, and needs attention',
      why: 'The server did not take all of it. Open Sync, and see what needs attention.',
    },
    handed: {
      title: 'Handed over',
      why: 'The other phone sends it when it has a network, within 14 days. All of it stays here until the server has confirmed it.',
    },
    lost: {
      title: 'The connection ended',
      why: 'Begin again: it goes on where it stopped, and nothing counts twice. All of it is still here.',
    },
    full: {
      title: 'The other phone has no room',
      why: 'Hand the rest to another phone, or let that one send first. All of it is still here.',
    },
    other_server: {
      title: 'Not the same server',
      why: 'The other phone belongs to another server and cannot carry for this one. All of it is still here.',
    },
    too_new: {
      title: 'Different versions',
      why: 'Open Gemba on both phones where they have a network, so that it is updated. All of it is still here.',
    },
    odd: { title: 'That did not work', why: 'Begin again. All of it is still here.' },
    refused: { title: 'The server does not take it', why: 'All of it is still here.' },
    unopened: {
      title: 'The server cannot open it',
      why: 'This phone needs its server once, over a network of its own. All of it is still here.',
    },
    no_network: {
      title: 'No network',
      why: 'Switch on Wi-Fi, or the hotspot of one of the two phones. It needs no internet.',
    },
    not_reached: {
      title: 'The phones do not reach each other',
      why: 'Both must be in the same Wi-Fi, or in the hotspot of one of them. A Wi-Fi for guests often keeps phones apart.',
    },
    camera: { title: 'The camera is needed', why: 'This phone has to read the code of the other one.' },
    failed: { title: 'Handing over is not possible', why: 'All of it is still here.' },
  },
  needsNetwork: 'This phone needs its server once before it can hand over.',
};

/** The texts on a phone that takes a hand-over of another phone. */
export const takeHandOverTexts = {
  preparing: 'Code read…',
  show: 'Now show this to the other phone',
  showHow: 'On the other phone tap “Read its code”, and hold it over this screen.',
  code: 'QR code for the other phone',
  waiting: 'Waiting for the other phone…',
  readAgain: 'Read its code again',
  taking: 'Taking it over',
  taken: (size: string) => `${size} taken`,
  sealed: 'Sealed: nobody can read it on this phone.',
  answered: 'The answer of the server went back.',
  stayClose: 'Keep both screens on.',
  stop: 'End',
  done: 'Done',
  again: 'Open the camera',
  ended: {
    safe: { title: 'Taken and sent', why: 'The server has answered, and the other phone has the answer.' },
    taken: {
      title: 'Taken',
      why: 'This phone sends it when it has a network, after your own work. It keeps it for 14 days at most.',
    },
    nothing: { title: 'Nothing new', why: 'The other phone had nothing more to hand over.' },
    lost: {
      title: 'The connection ended',
      why: 'This phone keeps and sends what is whole. For the rest the other phone begins again.',
    },
    full: { title: 'No more room', why: 'Let this phone send what it has. The rest stays on the other one.' },
    other_server: {
      title: 'Not the same server',
      why: 'The other phone belongs to another server. This phone cannot carry for it.',
    },
    too_new: {
      title: 'Different versions',
      why: 'Open Gemba on both phones where they have a network, so that it is updated.',
    },
    odd: { title: 'That did not work', why: 'Let the other phone begin again.' },
    no_network: {
      title: 'No network',
      why: 'Switch on Wi-Fi, or the hotspot of one of the two phones. It needs no internet.',
    },
  },
};
