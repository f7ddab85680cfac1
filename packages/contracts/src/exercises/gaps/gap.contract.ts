export * from './gap.api.ts';
export * from './gap.schemas.ts';
