import { z } from 'zod';
import { defineEvent } from '../../core/event.ts';

export const replayRequested = defineEvent({
  type: 'exercises.replay.requested.v1',
  source: 'exercises',
  summary:
    'A read model is rebuilt: owners of these types emit their current state again as ordinary events.',
  aggregate: 'replay',
  data: z.object({ types: z.array(z.string()).min(1) }),
  example: { types: ['identity.member.changed.v1'] },
});
