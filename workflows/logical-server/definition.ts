import { z } from 'zod';
import { firewallRule } from '../../activities/values/firewall-rule.js';
import { dataCluster } from '../../activities/values/data-cluster.js';
import { resourceName } from '../../activities/values/resource-name.js';
import { alreadyInProgress, defineEntity, link, links } from '../../src/definition/index.js';
import { databaseName } from '../logical-database/names.js';
import { SqlApplication } from '../sql-application/definition.js';
import { namedRule } from './firewall.js';
import { unlessAbsent, unlessDeletable, unlessReady, unlessReadyOrConfiguring } from './rejections.js';
import { roleName } from './role-name.js';
import { deletable, states, up } from './states.js';
import { subscriptions } from './subscriptions.js';

/** The events that an action raises when it removes all resources. */
const removal = [
  'LogicalDatabase.deleteWithServer',
  'DnsRecord.delete',
  'Alias.delete',
  'DatabaseService.delete',
  'SqlApplication.delete',
] as const;

/** A logical server, created as in picture 4 of the source: Creating, CreatingResources, Ready. S6.4 */
export const LogicalServer = defineEntity('LogicalServer', {
  description: 'A server of databases, reached by its name.',
  key: resourceName,
  properties: z.object({
    administrator: z.string().optional(),
    database: z.string().default('master'),
    address: z.object({ host: z.string(), port: z.number().int() }).optional(),
    /** Its data cluster. It has none before room was found. */
    dataCluster: dataCluster.optional(),
    /** Tells whether its databases go to another data cluster only when somebody outside has approved that. */
    movesNeedApproval: z.boolean().default(false),
    /** How many SQL applications it has had. The next one gets the next number. */
    generation: z.number().int().default(1),
    /** The data cluster of the standbys of the server and of its databases. */
    standbyCluster: dataCluster.optional(),
    allowDataLoss: z.boolean().default(false),
  }),
  links: {
    application: link(SqlApplication),
    standby: link(SqlApplication),
    /** The instances that were failed over from. They keep what they had then. */
    former: links(SqlApplication),
  },
  subordinates: {
    firewallRules: firewallRule,
    /** The databases, by the names that clients ask for. */
    databases: z.object({ database: z.string() }),
  },
  dimensions: {
    logical_server_id: 'key',
    data_cluster_id: 'properties.dataCluster',
    target_data_cluster: 'properties.standbyCluster',
  },
  roles: { read: ['reader', 'owner', 'operator'], raise: ['owner', 'operator'], operate: ['operator'] },
  states,
  events: {
    create: {
      params: z.strictObject({
        administrator: roleName.default('administrator'),
        /** Where nobody names one, all are asked for room. */
        dataCluster: dataCluster.optional(),
        movesNeedApproval: z.boolean().default(false),
      }),
      in: 'Absent',
      otherwise: unlessAbsent,
      budget: '10m',
    },
    applicationReady: { in: 'CreatingResources', internal: true },
    serviceReady: { in: 'CreatingResources', internal: true },
    resourcesReady: { in: 'CreatingResources', internal: true },
    resourceFailed: { in: 'CreatingResources', internal: true },
    cancel: { in: 'CreatingResources', internal: true, description: 'The creation is no longer wanted.' },

    setFirewallRule: {
      params: namedRule,
      in: ['Ready', 'ConfiguringFirewall'],
      otherwise: unlessReadyOrConfiguring,
      budget: '1m',
    },
    removeFirewallRule: {
      params: z.strictObject({ name: resourceName }),
      in: ['Ready', 'ConfiguringFirewall'],
      otherwise: unlessReadyOrConfiguring,
      budget: '1m',
    },

    changeSettings: {
      roles: ['operator'],
      params: z.strictObject({ movesNeedApproval: z.boolean() }),
      in: 'Ready',
      otherwise: unlessReady,
      budget: '1m',
      description: 'Changes the settings. Pending requests keep the old ones.',
    },

    attachDatabase: {
      params: z.strictObject({ name: databaseName, database: z.string() }),
      in: 'Ready',
      otherwise: unlessReady,
      internal: true,
    },
    renameDatabase: {
      params: z.strictObject({ from: databaseName, to: databaseName, database: z.string() }),
      in: 'Ready',
      otherwise: unlessReady,
      internal: true,
    },
    restoreDatabaseName: {
      params: z.strictObject({ from: databaseName, to: databaseName, database: z.string() }),
      in: up,
      internal: true,
      description: 'A renaming came to nothing.',
    },
    detachDatabase: { params: z.strictObject({ database: z.string() }), in: up, internal: true },

    addStandby: {
      params: z.strictObject({ dataCluster }),
      in: 'Ready',
      otherwise: { ...unlessReady, AddingStandby: alreadyInProgress() },
      budget: '1h',
    },
    removeStandby: {
      in: 'Ready',
      otherwise: { ...unlessReady, RemovingStandby: alreadyInProgress() },
      budget: '10m',
    },
    failover: {
      roles: ['operator'],
      params: z.strictObject({ allowDataLoss: z.boolean().default(false) }),
      in: 'Ready',
      otherwise: { ...unlessReady, FailingOver: alreadyInProgress() },
      budget: '10m',
    },

    delete: {
      in: deletable,
      otherwise: unlessDeletable,
      budget: '10m',
    },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: ['Placing', 'Creating'], raises: [] },
    place: { in: 'Placing', to: ['TakingRoom', 'Deleted'], raises: [] },
    takeRoom: { in: 'TakingRoom', to: ['Creating', 'Placing'], raises: [] },
    createResources: {
      in: 'Creating',
      to: 'CreatingResources',
      raises: ['SqlApplication.create', 'DnsRecord.create'],
    },
    createService: {
      on: 'applicationReady',
      in: 'CreatingResources',
      to: 'CreatingResources',
      raises: ['DatabaseService.create'],
    },
    createAlias: {
      on: 'serviceReady',
      in: 'CreatingResources',
      to: 'CreatingResources',
      raises: ['Alias.create'],
    },
    finish: { on: 'resourcesReady', in: 'CreatingResources', to: 'Ready', raises: [] },
    fail: { on: 'resourceFailed', in: 'CreatingResources', to: 'Undoing', raises: [] },
    cancelCreation: { on: 'cancel', in: 'CreatingResources', to: 'Undoing', raises: [] },
    undo: { in: 'Undoing', to: 'Failed', raises: removal },

    setFirewallRule: {
      on: 'setFirewallRule',
      in: ['Ready', 'ConfiguringFirewall'],
      to: 'ConfiguringFirewall',
      raises: [],
    },
    removeFirewallRule: {
      on: 'removeFirewallRule',
      in: ['Ready', 'ConfiguringFirewall'],
      to: 'ConfiguringFirewall',
      raises: [],
    },
    configureFirewall: { in: 'ConfiguringFirewall', to: 'Ready', raises: [] },

    changeSettings: { on: 'changeSettings', in: 'Ready', raises: [] },

    attachDatabase: { on: 'attachDatabase', in: 'Ready', raises: [] },
    renameDatabase: { on: 'renameDatabase', in: 'Ready', raises: [] },
    restoreDatabaseName: { on: 'restoreDatabaseName', in: up, raises: [] },
    detachDatabase: { on: 'detachDatabase', in: up, raises: [] },

    beginStandby: { on: 'addStandby', in: 'Ready', to: 'AddingStandby', raises: [] },
    addStandby: {
      in: 'AddingStandby',
      to: 'Ready',
      raises: ['SqlApplication.create', 'SqlApplication.delete', 'LogicalDatabase.addStandby'],
    },
    endStandby: { on: 'removeStandby', in: 'Ready', to: 'RemovingStandby', raises: [] },
    removeStandby: {
      in: 'RemovingStandby',
      to: 'Ready',
      raises: ['SqlApplication.delete', 'LogicalDatabase.removeStandby'],
    },
    beginFailover: { on: 'failover', in: 'Ready', to: 'FailingOver', raises: [] },
    failOver: {
      in: 'FailingOver',
      to: 'Ready',
      raises: [
        'SqlApplication.promote',
        'SqlApplication.fence',
        'DatabaseService.follow',
        'Alias.point',
        'LogicalDatabase.failover',
      ],
    },

    beginDeletion: { on: 'delete', in: deletable, to: 'Deleting', raises: [] },
    deleteResources: { in: 'Deleting', to: 'Deleted', raises: removal },
  },
  subscriptions,
  cancel: 'cancel',
});
