export * from './coverage.api.ts';
export * from './coverage.schemas.ts';
