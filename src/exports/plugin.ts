/*
 * `reeve/plugin`: entities in one of Temporal's workers that also has workflows and activities of its own.
 */
export { ReevePlugin, type ReevePluginOptions } from '../plugin/reeve-plugin.js';
