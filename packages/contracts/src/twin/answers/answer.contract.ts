export * from './answer.schemas.ts';
