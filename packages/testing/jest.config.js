/** Native ESM; types are stripped by swc, since jest's own module loader does not strip them. */
export default {
  rootDir: '../..',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{gateway,services,packages,tests}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  testTimeout: 60_000,
  maxWorkers: 2,
  // A worker that has loaded many files spends its time on their garbage.
  workerIdleMemoryLimit: '700MB',
};
