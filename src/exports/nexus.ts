/*
 * `reeve/nexus`: for workflows that call entities of another namespace or team.
 */
export { entityService, type EntityService, type NexusEvent } from '../plugin/entity-service.js';
