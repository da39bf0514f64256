/**
 * The failures that the simulation found, each with its story and the history that showed it. A seed gives its history
 * only together with its setting, so parts of the setting that the story needs are fixed here.
 */
import type { SimulationSetting } from '../fleet/setting.ts';

export interface Regression {
  name: string;
  story: string;
  /** The seeds whose histories failed before the mend. */
  seeds: readonly number[];
  /** The seed whose setting they have; each its own if absent. */
  settingOf?: number;
  setting?: Partial<SimulationSetting>;
  /** Whether it was found before tabs, versions and packed forms came into the settings. */
  isEarlier?: boolean;
}

/** One device whose only bad luck are its tabs. */
const tabsAlone: Partial<SimulationSetting> = {
  devices: 1,
  isPaired: false,
  kind: 'phone',
  plan: 'team',
  hasServerFaults: false,
  networkFaults: [],
  mischief: ['tabs'],
  faultRate: 0,
  crashRate: 0,
  scopes: [],
  servers: 1,
  acts: 90,
};

export const regressions: readonly Regression[] = [
  {
    name: 'a 413 to a pull withdraws the mutation that was pushed before it',
    story:
      'The answer to a push of one mutation is lost, and a proxy answers the pull behind it with 413. The device took that for a word on its last batch, withdrew the mutation and showed it as refused, though the server had it. In 16 of 60 seeds with these faults.',
    isEarlier: true,
    seeds: [1000, 1004, 1008, 1014, 1022, 1047],
    setting: { networkFaults: ['forged 413', 'unanswered', 'forged 403'], faultRate: 0.5 },
  },
  {
    name: 'a device with nothing to send asks a dead server again every second',
    story:
      'A round that had nothing to push forgot the failures before it, so that its wait stayed below a second while the server was away. Half of the rounds of seed 20 were such.',
    isEarlier: true,
    seeds: [20],
  },
  {
    name: 'a round waits for its watchdog after the storage hung',
    story:
      'The storage hangs while a pull settles. The write is given up after 25 s, and the round goes on when its watchdog fires at 90 s. The simulation waited for the round without letting time pass, so that it hung.',
    isEarlier: true,
    seeds: [1334, 1344],
    settingOf: 1331,
  },
  {
    name: 'copies finish one recording, and one of them had pushed it before others changed something',
    story:
      'The order of a device was read from the first push of each of its works. A recording that was under way when the device was copied is the work of each copy that finishes it, and the first push was that of another.',
    isEarlier: true,
    seeds: [1334],
    settingOf: 1288,
  },
  {
    name: 'a copy finishes a recording whose run a person deleted',
    story:
      'A copy finished the recording under way and deleted its run, and the others finished it later. The check took their recording for lost: it knew of the deletion only for works that were there.',
    isEarlier: true,
    seeds: [1334],
    settingOf: 1298,
  },
  {
    name: 'a copy brings what a firewall refused on the way of another',
    story:
      'A firewall refuses a change on the way of one device, which says so. Its copy has no firewall and brings the same change. The check took the reason for wrong, since the server has the change.',
    isEarlier: true,
    seeds: [66],
    settingOf: 62,
  },
  {
    name: 'a tab overwrites a tap, since it missed the one before and heard of the tap',
    story:
      'A tab died between the commit of a tap and its word to the others. Another tab made the next tap, and a third heard of that one alone. With its own next tap the third learned of the first, counted the rows up to it, and wrote over the row behind it, which was a tap of the second.',
    seeds: [20042, 20114, 20128],
    setting: tabsAlone,
  },
  {
    name: 'a tab that missed a pull shows a map without the run that the pull removed from it',
    story:
      'A leader died between the commit of a pull and its word to the others. The next leader read all rows again, and first took over the rows that are there, then those that are gone. In between it showed a map that counts no run beside the run.',
    seeds: [541],
  },
  {
    name: 'a tab that missed a pull shows a run before its removal, under another setting',
    story: 'As above, with copies of the device.',
    seeds: [3951],
    settingOf: 3947,
  },
  {
    name: 'a noop without a chain is answered with what a copy did under its number',
    story:
      'A firewall refuses a change on the way of one device, which withdraws it. A copy has used the number meanwhile. The server answers the noop by what stands under the number (PUSH-40), and the device keeps its change as refused. The check took that for an answer to other work.',
    seeds: [1030, 2718, 3109, 3497],
  },
  {
    name: 'the database of a device goes back to a state of another branch',
    story:
      'A device became a copy of another and then got the database back that it had had before, beside the journal of the other. Its own tap of then was taken for the later one. No database goes back to where it never was, so the simulation only takes states that this disk had.',
    seeds: [369],
    settingOf: 345,
  },
  {
    name: 'a server goes back further than devices keep receipts',
    story:
      'A backup of 93 days before is restored. Devices keep the receipts of recordings for 30 days, so that two recordings were gone for good, as promised. The check took them for lost.',
    seeds: [3759],
  },
  {
    name: 'the view lacks a recording between the pull from a restored server and its settlement',
    story:
      'The server is restored to a state before a recording. The pull replaced the records, and only the write behind it made the recording pending again, so that the views of all tabs lacked it meanwhile; after a crash between the two, until the first round.',
    seeds: [10],
    settingOf: 1,
  },
  {
    name: 'a forwarded recording that was refused counts nowhere until the outbox has settled it',
    story:
      'The sequence of a copy forked, so that its recording was forwarded, and the server refused it. The pull behind the answer ended its replay, as if the records had it, and only the settlement put it into attention. Meanwhile the device showed neither, and counted nothing as pending.',
    seeds: [115],
    settingOf: 21,
  },
  {
    name: 'the simulation reads what became of a push, and kills a server process by it',
    story:
      'One server process died in a push, and another was still to die at one of its next calls. The simulation reads what became of the push from the store of the first process, and these reads counted as calls: the process died in them, so that the read never ended and the simulation hung.',
    seeds: [8405],
    settingOf: 8386,
  },
  {
    name: 'a watch loses the database that had the receipt, and then the server the recording',
    story:
      'A recording was on the server after its last backup. Its watch lost its database, whose second copy has only what is unsent, and then the server was restored to the backup: nothing had the recording any more. A watch cannot send again what it knows from a pull alone. The check took it for lost.',
    seeds: [9206, 9215],
    settingOf: 9138,
  },
  {
    name: 'a change that the server had applied shows as refused',
    story:
      'A forwarded change was applied and its answer cut, then pushes of it met two forged 503, so that the device withdrew it. The server answered the noop by what stands under the number, which may be the work of a copy. Now the device asks by the digest of its change.',
    seeds: [3030],
  },
  {
    name: 'a device that closes leaves behind the timer that hashes a push ahead',
    story:
      'A device died or closed between the sending of a push and the end of the turn. The timer for the hashes of that push went on, once also of a push that was given up before it was sent.',
    seeds: [1643, 1741, 3544, 8502, 9180],
  },
  {
    name: 'a leader that wakes settles work by the word about a client id that the device has left',
    story:
      'A leader was frozen, and another tab led on: it found a copy under the client id, gave the device a new one, and kept a change under its number 1. The first leader woke and settled its last pull before it heard that it no longer leads. The pull said that the server has number 1 of the earlier client id, and the change was dropped as done. What was pulled is read under the lock now, with the client id of then.',
    seeds: [9489],
  },
  {
    name: 'a recording is shown twice while the run of its session changes its id',
    story:
      'Two copies finished one session. The server took that of one, was restored, and took that of the other. The pull brought the new run of the session and removed the earlier one, and the removal made the device forget that the session has a run. Until the push it showed its own recording beside the other.',
    seeds: [677, 5345],
  },
  {
    name: 'a hanging write that ends late shows a part of itself',
    story:
      'The storage hung while a receipt moved to a new client id, and the write ended after its timeout. The next write lost to it, and of the rows it read those in conflict alone: the receipt was in neither place, and the device said that the recording is no longer on the server.',
    seeds: [1823, 5495],
  },
  {
    name: 'the first pull is shown page by page',
    story:
      'A device opened while a map was changed, whose first pull came in two pages. After the first page it showed the newer maps alone, which the account never had alone. The check did not know that the first pull is shown page by page; the device had told a time of its last sync before it was complete.',
    seeds: [2885, 9725],
  },
  {
    name: 'the report of a device is that of another status',
    story:
      'A tab that is closed went on to show its status, while its report was made of the status before: it counted work as unsent that was not pending any more, or nothing as refused. The report is made of the status that it is shown with.',
    seeds: [5116, 5445],
  },
  {
    name: 'imported work overtakes pending work that it was made after',
    story:
      'A copy exported its pending change, made another and exported both. The device had the first as pending and took the second in as forwarded, which goes before all that is pending. Now the pending work becomes forwarded before.',
    seeds: [5285],
  },
  {
    name: 'a cached page replaces all records after a restore',
    story:
      'The server was restored, and the device asked for all records. A cache answered with the first page of long ago, when the account was empty, and the device showed nothing until its next push. Pages must have the epoch of which the server just told.',
    seeds: [7322],
  },
  {
    name: 'a device hears of a restore after its receipts have expired',
    story:
      'A recording reached the server and was lost by a restore 20 s later. The device slept for 35 days and then heard of it. The pull that told it dropped the receipt, since it was older than 30 days, before all receipts were to be sent again.',
    seeds: [40532],
    settingOf: 40518,
  },
  {
    name: 'a copy and its original send one stage to a restored server',
    story:
      'Both held the added stage, the server was restored, and both sent it under a client id of their own. The server made it once and answered both, as it should. The log of the simulation took each answer for a stage of its own, so that the model had two.',
    seeds: [785773],
  },
];
