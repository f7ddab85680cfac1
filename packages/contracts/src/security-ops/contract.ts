export * from './coverage/coverage.contract.ts';
export * from './events/event.contract.ts';
export * from './layers/layer.contract.ts';
export * from './operations/operation.contract.ts';
export * from './subscriptions.ts';
export * from './triage/triage.contract.ts';
