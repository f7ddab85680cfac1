import { extract } from './extraction.rules.ts';

/** Runs in a thread: a long text takes long to look through. */
export default extract;
