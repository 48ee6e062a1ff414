/*
 * Converts errors. It is loaded by workers, and is a part of each bundle of workflow code, as CommonJS: the SDK requires it by its path.
 * Messages and stacks of errors are encoded where payloads are encrypted, so that they are encrypted too. Q5
 * A bundle is made once, with or without encryption, so a variable before its code says which (src/temporal/bundle.ts).
 */
const { DefaultFailureConverter } = require('@temporalio/common');

const encodeCommonAttributes = typeof REEVE_ENCODES_ERRORS === 'undefined' || REEVE_ENCODES_ERRORS;
exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes });
