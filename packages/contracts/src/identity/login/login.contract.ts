export * from './login.api.ts';
export * from './login.cookies.ts';
export * from './login.schemas.ts';
