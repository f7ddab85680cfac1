export * from './changes/change.contract.ts';
export * from './jobs/job.contract.ts';
export * from './parked/parked.contract.ts';
export * from './platform.api.ts';
export * from './token-uses/token-use.contract.ts';
