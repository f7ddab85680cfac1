export * from './feed.api.ts';
export * from './feed.schemas.ts';
