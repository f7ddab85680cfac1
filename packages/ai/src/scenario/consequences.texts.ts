import { type Beat, expects } from './beat.ts';
import { evidenceOf, type Setting, sceneOf } from './setting.rules.ts';

/** What the intrusion does to the organization, and what it is then tempted to do. */
export function consequenceBeats(setting: Setting): Beat[] {
  const { category, advanced } = setting;
  const stolen =
    setting.techniques('theft').length > 0 || category === 'ransomware' || category === 'data_breach';
  const supplied = category === 'supply_chain' || category === 'third_party';
  return [
    harm(setting),
    ...(supplied ? [supplier(setting)] : []),
    stolen ? demand(setting) : caller(setting),
    ...(advanced ? [temptation(setting)] : []),
  ];
}

function harm(setting: Setting): Beat {
  const { systems, industry } = setting;
  const techniques = setting.techniques('theft', 'impact');
  return {
    key: 'harm',
    title: 'Now it hurts',
    description: `${sceneOf(techniques, systems.jewel) ?? `Work with ${systems.jewel} is no longer possible.`} For ${industry.people} this means: ${industry.service} comes to a halt. ${industry.urgent}`,
    from: 'Service desk',
    to: ['incident_commander', 'business_owner', 'executive'],
    channel: 'phone',
    type: 'standard',
    techniques,
    aims: ['decision_making', 'containment'],
    actions: [
      expects(
        'Start the emergency procedures that work without the affected systems',
        3,
        10,
        'emergency procedure, fallback procedure, manual procedure, paper procedure, continuity plan, downtime procedure',
        { critical: true },
      ),
      expects(
        'Decide what is shut down to protect the rest, and who answers for it',
        3,
        15,
        'shut down, decide shutdown, switch off, power down, decide stop',
      ),
      expects(
        'Record decisions with their reasons and times',
        1,
        15,
        'record decision, decision log, log decision, write decision, keep minutes',
      ),
    ],
    discussion_questions: [
      `How long can ${industry.service} go on without ${systems.jewel}?`,
      'Who weighs harm now against harm later?',
    ],
    facilitator_notes: `${evidenceOf(setting, techniques)}Bring the discussion from machines to ${industry.people}. Red flags: a time of return is promised that nobody can know.`,
  };
}

function demand({ threat, category, industry, systems }: Setting): Beat {
  return {
    key: 'demand',
    title: 'A sample in the inbox',
    description: `An unknown sender${threat && category === 'ransomware' ? `, signing as ${threat},` : ''} writes to the executive: twenty files are attached that seem to come from ${systems.jewel}, with data of ${industry.people}. "Answer within 48 hours, or all of it is public."`,
    from: 'Unknown sender',
    to: ['executive', 'legal_privacy', 'incident_commander'],
    channel: 'email',
    type: 'standard',
    techniques: [],
    aims: ['decision_making', 'regulatory'],
    actions: [
      expects(
        'Verify the sample and find out which data were copied',
        2,
        20,
        'verify sample, check sample, data copied, examine sample, validate sample',
      ),
      expects(
        'Reserve any answer to the sender for the executive, advised by counsel',
        3,
        15,
        'answer executive, executive decide, executive approve, advise counsel, legal advice',
        { critical: true },
      ),
      expects(
        'Involve law enforcement and inform the insurer',
        2,
        20,
        'law enforcement, police, insurer, criminal complaint, prosecutor',
      ),
    ],
    discussion_questions: [
      'Who may answer, and what must be clear before?',
      'How do we check the sample without spreading it?',
    ],
    facilitator_notes:
      'Look for process, not for a verdict on paying: authority, advice, facts, record. Red flags: somebody answers "just to see", the sample is forwarded to ten people.',
  };
}

function caller({ industry, systems }: Setting): Beat {
  return {
    key: 'caller',
    title: 'Somebody wants to know',
    description: `The head of an organization that relies on us calls: its own people see errors with ${systems.jewel}. "Are our data safe? Should we cut the connection to you?" Other ${industry.people} write the same.`,
    from: 'A large partner',
    to: ['business_owner', 'communications_lead'],
    channel: 'phone',
    type: 'standard',
    techniques: [],
    aims: ['communication'],
    actions: [
      expects(
        'Tell the caller the confirmed facts and when the next report comes',
        3,
        10,
        'confirmed facts, tell facts, next report, next update, tell caller',
        { critical: true },
      ),
      expects(
        'Give all such questions to one contact',
        2,
        15,
        'one contact, single contact, contact person, point contact, questions contact',
      ),
      expects(
        'List the contracts under which partners have to be warned',
        2,
        20,
        'list contracts, contracts partners, partners warned, warn partners, contractual deadline',
      ),
    ],
    discussion_questions: [
      'What do we say when we know almost nothing?',
      'Which contract has the shortest deadline?',
    ],
    facilitator_notes:
      'Play the caller, kindly and without giving way. Red flags: "everything is fine", or a different answer from each person asked.',
  };
}

function supplier({ systems }: Setting): Beat {
  return {
    key: 'supplier',
    title: 'The supplier sees nothing',
    description: `The supplier whose product or access plays a part says: "We see nothing unusual on our side." Its connection to ${systems.core} is open, and an update waits to be installed tonight.`,
    from: 'The supplier’s support line',
    to: ['it_operations', 'security_lead', 'business_owner'],
    channel: 'phone',
    type: 'complexity',
    techniques: [],
    aims: ['third_party', 'containment'],
    actions: [
      expects(
        'Cut the supplier’s access until it is explained',
        3,
        10,
        'cut access, block access, revoke access, cut supplier, disconnect supplier, disable supplier',
        { critical: true },
      ),
      expects(
        'Put written questions to the supplier’s security team',
        2,
        20,
        'written questions, supplier security team, ask supplier, question supplier, contact supplier',
      ),
      expects(
        'Hold back the update and find every place where the product runs',
        2,
        25,
        'hold back, hold update, stop update, where product runs, locate product',
      ),
    ],
    discussion_questions: [
      'Which suppliers can enter our network today?',
      'What would have to be true before the connection opens again?',
    ],
    facilitator_notes:
      'Red flags: trusting the support line, leaving the connection open until the update is in.',
  };
}

function temptation({ systems, industry }: Setting): Beat {
  return {
    key: 'temptation',
    title: 'Only for an hour',
    description: `A senior manager asks to bring ${systems.jewel} back "only for an hour": ${industry.people} wait, and the pressure grows. IT operations could do it; nobody can say yet how the intruder came in.`,
    from: 'A senior manager',
    to: ['incident_commander', 'it_operations', 'executive'],
    channel: 'chat',
    type: 'complexity',
    techniques: [],
    aims: ['decision_making', 'recovery'],
    actions: [
      expects(
        'Keep the connection closed until the systems are verified',
        3,
        10,
        'keep closed, connection closed, stay closed, keep offline, remain disconnected',
      ),
      expects(
        'Offer a safe way to do the most urgent work',
        2,
        15,
        'safe way, urgent work, workaround, interim solution, safe alternative',
      ),
      expects(
        'The executive decides on the risk in writing',
        2,
        15,
        'executive decide, risk writing, decide writing, written decision, risk acceptance',
      ),
    ],
    discussion_questions: ['Who may say no to this manager?', 'Which fact would change the answer?'],
    facilitator_notes: 'Press hard, twice. Red flags: a quiet exception, a decision that nobody writes down.',
  };
}
