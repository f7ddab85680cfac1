export * from './conduct.api.ts';
export * from './conduct.schemas.ts';
