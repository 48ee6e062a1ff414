/* The workflow code that `sharedBundle` chose. */
/* global module, require, REEVE_TEST */
module.exports = require('./bundled-modules.cjs')(REEVE_TEST.workflows);
