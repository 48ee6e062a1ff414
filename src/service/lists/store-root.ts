/** The path above everything that does not belong to one module. */
export const STORE_ROOT = '/api';
