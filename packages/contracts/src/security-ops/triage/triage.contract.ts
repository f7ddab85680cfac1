export * from './triage.api.ts';
export * from './triage.events.ts';
export * from './triage.schemas.ts';
