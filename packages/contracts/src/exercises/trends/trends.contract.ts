export * from './trends.api.ts';
export * from './trends.schemas.ts';
