export * from './answers/answer.contract.ts';
export * from './profile/profile.contract.ts';
