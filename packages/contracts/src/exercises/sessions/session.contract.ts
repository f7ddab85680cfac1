export * from './session.api.ts';
export * from './session.events.ts';
export * from './session.schemas.ts';
