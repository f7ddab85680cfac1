export * from './job.api.ts';
