export * from './playbook.api.ts';
export * from './playbook.events.ts';
export * from './playbook.schemas.ts';
