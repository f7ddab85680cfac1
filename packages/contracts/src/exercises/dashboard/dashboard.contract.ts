export * from './dashboard.api.ts';
export * from './dashboard.events.ts';
export * from './dashboard.schemas.ts';
