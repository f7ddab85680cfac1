import type { EventStatus } from '@muster/contracts';

/** Where each status may lead: forwards, any step left out; and what was ended may be taken up again. */
const MOVES: Readonly<Record<EventStatus, readonly EventStatus[]>> = {
  new: ['triaged', 'in_progress', 'resolved', 'closed'],
  triaged: ['in_progress', 'resolved', 'closed'],
  in_progress: ['resolved', 'closed'],
  resolved: ['in_progress', 'closed'],
  closed: ['in_progress'],
};

/** The statuses that may follow on one. */
export const movesFrom = (status: EventStatus): readonly EventStatus[] => MOVES[status];
