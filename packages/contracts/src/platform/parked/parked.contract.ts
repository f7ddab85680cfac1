export * from './parked.api.ts';
export * from './parked.schemas.ts';
