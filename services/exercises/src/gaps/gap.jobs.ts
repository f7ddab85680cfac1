import { gatheredWork } from '@muster/service-kit';
import { settlePage } from './settling.service.ts';

/** Opens, closes and opens again an organization's gaps by the sessions that have come. Running it twice is harmless. */
export const gapSettling = gatheredWork({ kind: 'gap-settling', settle: settlePage });
