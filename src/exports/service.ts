/*
 * `reeve/service`: the management service as a library, for programs that serve it in their own way. S6.1
 */
export { createApplication, type Application, type ApplicationOptions } from '../service/application.js';
export { auditTrails, type AuditEntry, type AuditTrail } from '../service/audit-trail.js';
export type { Authenticator } from '../service/authentication/authenticator.js';
export { authenticatorFrom } from '../service/authentication/environment.js';
export { serverOptionsFrom } from '../service/environment.js';
export type { EntityModule } from '../service/module.js';
export { startService, type RunningService, type ServerOptions } from '../service/server.js';
export { serviceStore, type ServiceStore } from '../service/service-store.js';
export { DEFAULT_SETTINGS, type ServiceSettings } from '../service/settings.js';
export { StoreAuditTrail } from '../service/store-audit-trail.js';
export { StoreRejections } from '../service/store-rejections.js';
