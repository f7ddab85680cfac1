import { bare, clipped, listed } from '../prose/prose.ts';
import { type Beat, expects } from './beat.ts';
import { evidenceOf, namesIn, type Setting, sceneOf } from './setting.rules.ts';

const LONGEST_SUMMARY = 600;

/** How the intrusion is heard of, seen, and followed: each technique of the item where its stage is. */
export function intrusionBeats(setting: Setting): Beat[] {
  return [warning(setting), signal(setting), deepening(setting), spread(setting), backups(setting)];
}

function warning({ item, threat }: Setting): Beat {
  const names = namesIn([...item.actors, ...item.malware]);
  const who = item.publisher ? bare(item.publisher) : 'A trusted source';
  const sectors = namesIn(item.sectors);
  return {
    key: 'warning',
    title: 'A report, and a question',
    description: [
      `${clipped(who, 120)} reports: “${clipped(bare(item.title), 200)}”. ${clipped(bare(item.summary), LONGEST_SUMMARY)}.`,
      names.length > 0 ? ` It names ${listed(names)}.` : '',
      sectors.length > 0 ? ` Hit so far: ${listed(sectors)}.` : '',
      ' A colleague forwards it with one line: "Does this concern us?"',
    ].join(''),
    from: 'Threat intelligence',
    to: ['security_lead', 'incident_commander'],
    channel: 'email',
    type: 'standard',
    techniques: [],
    aims: ['detection'],
    actions: [
      expects(
        'Check which of our systems and suppliers the report applies to',
        2,
        15,
        'report applies, check exposure, check inventory, check systems, which systems affected, are affected',
      ),
      expects(
        'Search logs for the published indicators and keep watching for them',
        3,
        20,
        'search logs, search indicators, hunt indicators, published indicators, watch indicators',
      ),
      expects(
        'Brief the monitoring team and agree who is called at night',
        1,
        15,
        'brief monitoring, monitoring team, inform monitoring, called night, on call',
      ),
    ],
    discussion_questions: [
      `Who here decides within a day whether ${threat ?? 'such a report'} concerns us, and by which facts?`,
      'Which of our systems could we not list within an hour?',
    ],
    facilitator_notes:
      'Keep this one short. Red flags: the report is filed, everybody waits for somebody else to read it.',
  };
}

function signal(setting: Setting): Beat {
  const { systems, item } = setting;
  const techniques = setting.techniques('entry');
  const cves = namesIn(item.cves).slice(0, 3);
  return {
    key: 'signal',
    title: 'It has begun',
    description: [
      sceneOf(techniques, systems.entry) ??
        `Monitoring shows something on ${systems.entry} that fits the report: an unknown session at night.`,
      cves.length > 0 ? ` The flaw in question may be ${listed(cves)}.` : '',
      ' The on-call analyst rates it "medium" and asks what to do.',
    ].join(''),
    from: 'Security monitoring',
    to: ['security_lead', 'it_operations'],
    channel: 'siem',
    type: 'standard',
    techniques,
    aims: ['detection', 'containment'],
    actions: [
      expects(
        'Declare an incident and name one lead',
        3,
        15,
        'declare incident, open incident, name lead, incident lead, activate plan',
        { critical: true },
      ),
      expects(
        'Isolate the affected systems and leave them powered on',
        3,
        15,
        'isolate system, isolate affected, isolate host, isolate server, quarantine, disconnect system',
      ),
      expects(
        'Preserve logs and memory as evidence before anything is cleaned',
        2,
        20,
        'preserve log, preserve evidence, preserve memory, memory image, secure log, collect evidence',
      ),
    ],
    discussion_questions: [
      'Who may declare an incident at this hour?',
      'What do we lose by switching off instead of isolating?',
    ],
    facilitator_notes: `${evidenceOf(setting, techniques)}Red flags: waiting for the day shift, cleaning up before anything is secured.`,
  };
}

function deepening(setting: Setting): Beat {
  const { systems, threat } = setting;
  const techniques = setting.techniques('execution', 'foothold', 'credentials', 'discovery');
  return {
    key: 'deepening',
    title: 'Longer than we thought',
    description: `${
      sceneOf(techniques, systems.inside) ??
      `On ${systems.inside} a program runs that nobody installed, with the rights of an administrator.`
    } The first traces are nine days old. ${threat ? `The analyst finds the name ${threat} in a note that fits.` : 'The analyst has seen nothing like it here.'}`,
    from: 'Security analyst',
    to: ['security_lead', 'it_operations'],
    channel: 'phone',
    type: 'standard',
    techniques,
    aims: ['containment', 'detection'],
    actions: [
      expects(
        'Disable the accounts that were used and end their sessions',
        3,
        15,
        'disable account, lock account, end session, revoke session, suspend account, block account',
        { critical: true },
      ),
      expects(
        'Reset the credentials that could be read, privileged ones first',
        2,
        25,
        'reset credential, reset password, rotate credential, change password, replace credential',
      ),
      expects(
        'Establish the timeline of the intrusion and the machines it reached',
        2,
        25,
        'establish timeline, build timeline, timeline intrusion, machines reached, determine extent',
      ),
    ],
    discussion_questions: [
      'How do we work on without telling the intruder that we know?',
      'Which credentials were on these machines?',
    ],
    facilitator_notes: `${evidenceOf(setting, techniques)}Red flags: a password is reset but its sessions stay open, one machine is cleaned and called done.`,
  };
}

function spread(setting: Setting): Beat {
  const { systems } = setting;
  const techniques = setting.techniques('movement', 'control');
  return {
    key: 'spread',
    title: 'Not one machine any more',
    description: `${
      sceneOf(techniques, systems.core) ??
      `Connections lead from ${systems.core} to machines that have nothing to do with it, and to an address outside.`
    } IT operations asks in the team chat: "Do we cut now? Then half the house stands still." The nightly backup is about to start.`,
    from: 'IT operations',
    to: ['it_operations', 'incident_commander', 'security_lead'],
    channel: 'chat',
    type: 'standard',
    techniques,
    aims: ['containment'],
    actions: [
      expects(
        'Cut the affected network segments off from everything else',
        3,
        10,
        'cut segment, cut network, isolate segment, isolate network, segment network, disconnect network',
        { critical: true },
      ),
      expects(
        'Take the backups offline before they are reached',
        3,
        10,
        'backup offline, isolate backup, disconnect backup, protect backup, secure backup, stop backup',
      ),
      expects(
        'Block the addresses that the intruder uses, at the edge and on every device',
        2,
        15,
        'block address, block domain, block indicator, block traffic, block destination',
      ),
    ],
    discussion_questions: [
      'Who may cut a segment, and what stops when it happens?',
      'Do the backups use other accounts than what they protect?',
    ],
    facilitator_notes: `${evidenceOf(setting, techniques)}If nobody speaks of the backups, do not help: the next inject follows from it. Red flags: discussing the response in systems that the intruder may read.`,
  };
}

function backups(setting: Setting): Beat {
  return {
    key: 'backups',
    title: 'The copies are reached',
    description: `The backup monitoring reports an empty catalogue. Whoever is in ${setting.systems.core} found the way to the copies; one storage system still answers.`,
    from: 'Backup monitoring',
    to: ['it_operations', 'executive'],
    channel: 'siem',
    type: 'contingency',
    techniques: [],
    aims: ['recovery', 'containment'],
    unless: { key: 'spread', action: 2 },
    actions: [
      expects(
        'Disconnect the storage that is still intact',
        3,
        5,
        'disconnect storage, cut storage, isolate storage, protect storage, disconnect backup',
      ),
      expects(
        'Take stock of the copies that survived, those on other sites included',
        2,
        20,
        'take stock, copies survived, surviving copies, inventory copies, offline copies',
      ),
      expects(
        'Tell the decision makers the new estimate of time and data loss',
        2,
        20,
        'new estimate, tell decision makers, data loss, recovery estimate, inform decision makers',
      ),
    ],
    discussion_questions: [
      'From when is the last copy that nobody could have touched?',
      'Who tells the executive, and in which words?',
    ],
    facilitator_notes:
      'Play it only if the backups stayed online. Red flags: an estimate that nobody can know, restoring at once onto a hostile network.',
  };
}
