export * from './report.api.ts';
export * from './report.schemas.ts';
