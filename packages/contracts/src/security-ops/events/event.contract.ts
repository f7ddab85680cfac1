export * from './event.api.ts';
export * from './event.events.ts';
export * from './event.schemas.ts';
