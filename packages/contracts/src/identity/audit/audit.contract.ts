export * from './audit.api.ts';
export * from './audit.events.ts';
export * from './audit.schemas.ts';
