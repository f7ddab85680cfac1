export * from './profile.events.ts';
export * from './profile.schemas.ts';
