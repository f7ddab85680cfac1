export * from './settings.api.ts';
export * from './settings.events.ts';
export * from './settings.schemas.ts';
