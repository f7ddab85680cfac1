export * from './token-use.events.ts';
