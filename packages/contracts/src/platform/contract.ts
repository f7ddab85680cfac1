export * from './changes/change.contract.ts';
export * from './jobs/job.contract.ts';
export * from './token-uses/token-use.contract.ts';
