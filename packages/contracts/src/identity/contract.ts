export * from './audit/audit.contract.ts';
export * from './auth/auth.contract.ts';
export * from './login/login.contract.ts';
export * from './members/member.contract.ts';
export * from './settings/settings.contract.ts';
export * from './subscriptions.ts';
