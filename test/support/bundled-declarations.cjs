/* The declarations that `sharedBundle` chose, which a worker loads once. */
/* global require, REEVE_TEST */
REEVE_TEST.declarations.forEach(require('./bundled-modules.cjs'));
