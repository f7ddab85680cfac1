export * from './scores.schemas.ts';
