import type { Capability } from '@muster/contracts';

/** What to discuss about each capability, whatever the scenario has in store. */
export const QUESTIONS: Readonly<Record<Capability, readonly string[]>> = {
  governance: [
    'Which plan or policy applies now, and when did the people in this room last use it?',
    'Which risk does the leadership have to accept, and how would it be told of it?',
  ],
  risk_awareness: [
    'Who in the organization should have noticed, and would they know where to report it?',
    'What do you tell all staff today, and what do you ask of them?',
  ],
  identity_access: [
    'Which accounts could be misused here, and how fast can you block them without locking out the response?',
    'How do you know who is on the other end of a request?',
  ],
  detection: [
    'What would tell you of this in reality, who sees it first, and at what hour would somebody look?',
    'At which point do you declare an incident, and who does?',
  ],
  analysis: [
    'What do you know, what do you assume, and what do you need to find out first?',
    'Which records would you need, how long are they kept, and who can read them tonight?',
  ],
  communication: [
    'Who has to hear of this within the hour, from whom, and over which channel if the usual one is not trusted?',
    'What do you say to staff, customers and the press when you do not know everything yet?',
  ],
  containment: [
    'What can you cut off at once, who may order it, and what does it stop in the business?',
    'How do you keep it from spreading without destroying the evidence?',
  ],
  eradication: [
    'How do you make sure that the cause is gone and not only its effects?',
    'Which systems would you rebuild rather than clean?',
  ],
  recovery: [
    'In which order do services come back, who decides it, and on what do they depend?',
    'How do you know that what you restore can be trusted?',
  ],
  decision_making: [
    'Which decision cannot wait, who takes it, and who does when that person cannot be reached?',
    'What would change your mind, and who writes down why you decided as you did?',
  ],
  regulatory: [
    'Whom do you have to notify, by when, and from which minute does the time run?',
    'What can you say in a first notification, and who signs it?',
  ],
  third_party: [
    'Which suppliers or partners are affected or needed, and who has their emergency contact?',
    'What does the contract oblige them to do, and what do you do meanwhile?',
  ],
};

/** What every module but the first begins with. */
export const LOOKING_BACK = [
  'What has changed since the last module, and which of your decisions does it put in question?',
  'What do you need now that you do not have?',
];
/** What the last one ends with. */
export const LOOKING_AHEAD = [
  'When do you declare the incident over, on what evidence, and who does?',
  'Which of today’s decisions would need somebody who is not in this room?',
];
