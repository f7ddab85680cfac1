import { fileURLToPath } from 'node:url';

export { demoPeople, type Person } from './person.ts';

/** The provider's program, which is run in a process of its own; its variables stand in `config.ts`. */
export const PROVIDER_PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));
