export * from './ask.ts';
export * from './eventually.ts';
export * from './own-engine.ts';
export * from './problem.ts';
export * from './product.ts';
export * from './publish.ts';
export * from './service.ts';
export * from './tokens.ts';
