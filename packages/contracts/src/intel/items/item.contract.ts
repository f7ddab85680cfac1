export * from './item.api.ts';
export * from './item.events.ts';
export * from './item.schemas.ts';
