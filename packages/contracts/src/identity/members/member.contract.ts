export * from './demo.data.ts';
export * from './member.api.ts';
export * from './member.events.ts';
export * from './member.schemas.ts';
