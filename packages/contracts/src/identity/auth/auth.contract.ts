export * from './auth.api.ts';
export * from './auth.events.ts';
export * from './auth.schemas.ts';
