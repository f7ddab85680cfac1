export * from './layer.schemas.ts';
