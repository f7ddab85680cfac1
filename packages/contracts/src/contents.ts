export * from './exercises/contract.ts';
export * from './identity/contract.ts';
export * from './intel/contract.ts';
export * from './platform/contract.ts';
export * from './security-ops/contract.ts';
export * from './twin/contract.ts';
