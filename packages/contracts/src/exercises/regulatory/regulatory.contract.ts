export * from './regulatory.schemas.ts';
