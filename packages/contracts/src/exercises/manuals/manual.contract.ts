export * from './manual.api.ts';
export * from './manual.schemas.ts';
