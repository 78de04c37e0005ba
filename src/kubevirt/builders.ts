/**
 * Objects for tests, in the words of the tests: `aVmi('db').on('n1').migratable('False').build()`. A builder starts as
 * the plainest healthy object of its kind; every word changes one thing and gives the builder back.
 */
export * from './builders/budget.ts';
export * from './builders/kubevirt.ts';
export * from './builders/migration.ts';
export * from './builders/node.ts';
export * from './builders/pod.ts';
export * from './builders/vm.ts';
export * from './builders/vmi.ts';
